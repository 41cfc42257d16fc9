/*@
 * what:    where the time of each request of a trace went: @[traceid] = breakdown()
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts
 * expect:  regex
 */
syscall::nanosleep:entry /pid == $target && traceid != ""/ { self->t = mark(); }
syscall::nanosleep:return /self->t/ { @[traceid] = breakdown(self->t); self->t = 0; }
