/*@
 * what:    two names for one place are one probe with one name
 * run:     -qs %file% -c '%progs%/calls 3'
 * expect:  exact
 */
pid$target:a.out:twice:entry { @[probefunc, id] = count(); }
pid$target:a.out:double_it:entry { @[probefunc, id] = count(); }
END { printa("%s %@d\n", @); }
