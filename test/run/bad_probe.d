/*@
 * what:    a description that matches nothing
 * status:  1
 */
BEGIN { exit(0); }
syscall::nosuchcall:entry {}
