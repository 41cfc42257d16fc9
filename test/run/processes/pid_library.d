/*@
 * what:    functions of libraries, by the library's short name and in any object; the program's stack is on top of the caller's
 * run:     -qs %file% -c '%progs%/calls 3'
 * expect:  exact
 */
pid$target:libc:getppid:entry { @short[probemod, probefunc] = count(); }
pid$target::getppid:return { @any[probemod, probefunc] = count(); }
END { printa("%s %s %@d\n", @short); printa("%s %s %@d\n", @any); }
