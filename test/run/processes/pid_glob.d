/*@
 * what:    a pattern matches many functions, and a clause distinguishes them by probefunc
 * run:     -qs %file% -c '%progs%/calls 4'
 * expect:  exact
 */
pid$target:a.out:*d*:entry /probefunc == "add8" || probefunc == "hidden" || probefunc == "double_it"/ { @[probefunc] = count(); }
END { printa("%s %@d\n", @); }
