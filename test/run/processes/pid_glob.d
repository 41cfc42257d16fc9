/*@
 * what:    a pattern means many functions, and one clause tells them apart
 * run:     -qs %file% -c '%progs%/calls 4'
 * expect:  exact
 */
pid$target:a.out:*d*:entry /probefunc == "add8" || probefunc == "hidden" || probefunc == "double_it"/ { @[probefunc] = count(); }
END { printa("%s %@d\n", @); }
