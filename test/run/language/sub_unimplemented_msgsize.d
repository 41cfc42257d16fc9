/*@
 * what:    msgsize() is known and refused
 * status:  1
 */
BEGIN { trace(msgsize(NULL)); exit(0); }
