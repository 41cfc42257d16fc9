/*@
 * what:    each name of a function with several names has its own probe, and a pattern selects the shortest global name
 * run:     -qs %file% -c '%progs%/calls 3'
 * expect:  exact
 */
pid$target:a.out:twice:entry { @[probefunc] = count(); }
pid$target:a.out:double_it:entry { @[probefunc] = count(); }
pid$target:a.out:two:entry { @[probefunc] = count(); }
pid$target:a.out:by2:entry { @[probefunc] = count(); }
pid$target:a.out:tw*:entry { @pattern[probefunc] = count(); }
pid$target:a.out:?y?:entry { @pattern[probefunc] = count(); }
pid$target:a.out:*:entry /probefunc == "twice" || probefunc == "double_it" || probefunc == "two" || probefunc == "by2"/ { @all[probefunc] = count(); }
pid$target:a.out:two:entry { @stack[ufunc(uregs[R_PC])] = count(); }
END { printa("%s %@d\n", @); printa("%s %@d by pattern\n", @pattern); printa("%s %@d of all\n", @all); printa("%A %@d\n", @stack); }
