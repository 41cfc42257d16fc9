/*@
 * what:    a program with msgsize() is refused because the function is not implemented
 * status:  1
 */
BEGIN { trace(msgsize(NULL)); exit(0); }
