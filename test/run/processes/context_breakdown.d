/*@
 * what:    breakdown() with traceid as key prints the parts of the time of each request separately
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts
 * expect:  regex
 */
syscall::nanosleep:entry /pid == $target && traceid != ""/ { self->t = mark(); }
syscall::nanosleep:return /self->t/ { @[traceid] = breakdown(self->t); self->t = 0; }
