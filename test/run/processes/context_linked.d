/*@
 * what:    traceid is known from a process's first call on if a linked library publishes the thread's OpenTelemetry context
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts_linked
 * expect:  exact
 */
syscall::getppid:entry /pid == $target/ { @[traceid] = count(); }
END { printa("%s %@d\n", @); }
