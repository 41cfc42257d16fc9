/*@
 * what:    functions of a library can be named with the library's short name or without a module
 * run:     -qs %file% -c '%progs%/calls 3'
 * expect:  exact
 */
pid$target:libc:getppid:entry { @short[probemod, probefunc] = count(); }
pid$target::getppid:return { @any[probemod, probefunc] = count(); }
END { printa("%s %s %@d\n", @short); printa("%s %s %@d\n", @any); }
