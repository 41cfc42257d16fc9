/*@
 * what:    -p follows a running process and ends with it
 * needs:   syscall
 * run:     -qs %file% -p %pid%
 * trigger: %progs%/sleeper
 */
syscall::*nanosleep:entry /pid == $target/ { n++; }
syscall::*nanosleep:entry /n == 5/ { printf("five\n"); exit(0); }
