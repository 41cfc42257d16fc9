/*@
 * what:    msgdsize() is known and refused
 * status:  1
 */
BEGIN { trace(msgdsize(NULL)); exit(0); }
