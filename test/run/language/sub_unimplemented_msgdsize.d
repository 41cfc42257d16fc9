/*@
 * what:    a program with msgdsize() is refused because the function is not implemented
 * status:  1
 */
BEGIN { trace(msgdsize(NULL)); exit(0); }
