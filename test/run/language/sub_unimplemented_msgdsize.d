/*@
 * what:    msgdsize() is refused as not implemented
 * status:  1
 */
BEGIN { trace(msgdsize(NULL)); exit(0); }
