/*@
 * what:    dtrace reports all errors of a program in the order of their lines
 * env:     DTRACE_REPRODUCIBLE=
 * status:  1
 */
BEGIN { trace(first); }
BEGIN { trace(second); }
BEGIN { exit("text"); }
