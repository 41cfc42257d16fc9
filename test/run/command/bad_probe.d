/*@
 * what:    a probe description that matches nothing is an error
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { exit(0); }
syscall::nosuchcall:entry {}
