/*@
 * what:    a bit-field of a kernel struct can be read
 */
BEGIN { printf("%d %d\n", curthread->in_execve, curthread->sched_reset_on_fork); exit(0); }
