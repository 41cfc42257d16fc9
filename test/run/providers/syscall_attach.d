/*@
 * what:    with -p, a running process is traced, and the trace ends when it exits
 * needs:   syscall
 * run:     -qs %file% -p %pid%
 * trigger: %progs%/sleeper
 */
syscall::*nanosleep:entry /pid == $target/ { n++; }
syscall::*nanosleep:entry /n == 5/ { printf("five\n"); exit(0); }
