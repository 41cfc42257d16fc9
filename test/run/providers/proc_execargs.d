/*@
 * what:    execargs is the command line of a new program, and pr_nice the nice value of the thread
 * needs:   syscall
 * run:     -qs %file% -c 'nice -n 5 printf %s hello'
 */
syscall::exit_group:entry /pid == $target/ { printf(" by %s at %d\n", execargs, curlwpsinfo->pr_nice); }
