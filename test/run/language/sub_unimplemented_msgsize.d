/*@
 * what:    msgsize() is refused as not implemented
 * status:  1
 */
BEGIN { trace(msgsize(NULL)); exit(0); }
