/*@
 * what:    breakdown() with key traceid splits the time of each request into its parts
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts
 * expect:  regex
 */
syscall::nanosleep:entry /pid == $target && traceid != ""/ { self->t = mark(); }
syscall::nanosleep:return /self->t/ { @[traceid] = breakdown(self->t); self->t = 0; }
