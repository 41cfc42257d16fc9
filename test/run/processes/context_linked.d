/*@
 * what:    traceid works from the first call on if a linked library holds the thread context
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts_linked
 * expect:  exact
 */
syscall::getppid:entry /pid == $target/ { @[traceid] = count(); }
END { printa("%s %@d\n", @); }
