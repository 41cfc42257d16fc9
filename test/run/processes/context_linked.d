/*@
 * what:    traceid of a program whose thread context is in a library that it is linked with is known from its first call on
 * needs:   syscall
 * run:     -x aggsortkey -qs %file% -c %progs%/contexts_linked
 * expect:  exact
 */
syscall::getppid:entry /pid == $target/ { @[traceid] = count(); }
END { printa("%s %@d\n", @); }
