/*@
 * what:    a program that uses $2 is an error if the command line gives only one argument
 * run:     -qs %file% one
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace($2); }
