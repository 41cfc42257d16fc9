/*@
 * what:    a description that matches nothing
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { exit(0); }
syscall::nosuchcall:entry {}
