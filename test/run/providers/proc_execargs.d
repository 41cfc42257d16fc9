/*@
 * what:    proc probes give the command line in execargs and the thread's nice value in pr_nice
 * needs:   syscall
 * run:     -qs %file% -c 'nice -n 5 printf %s hello'
 */
syscall::exit_group:entry /pid == $target/ { printf(" by %s at %d\n", execargs, curlwpsinfo->pr_nice); }
