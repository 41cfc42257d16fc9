/*@
 * what:    of two names for one place each description gets its own, and a pattern that means both the better one
 * run:     -qs %file% -c '%progs%/calls 3'
 * expect:  exact
 */
pid$target:a.out:twice:entry { @[probefunc] = count(); }
pid$target:a.out:double_it:entry { @[probefunc] = count(); }
pid$target:a.out:tw*e:entry { @pattern[probefunc] = count(); }
pid$target:a.out:*:entry /probefunc == "twice" || probefunc == "double_it"/ { @all[probefunc] = count(); }
END { printa("%s %@d\n", @); printa("%s %@d by pattern\n", @pattern); printa("%s %@d of all\n", @all); }
