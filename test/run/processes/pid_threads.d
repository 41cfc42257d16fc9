/*@
 * what:    counts are exact while eight threads call ninety probed functions
 * run:     -qs %file% -c '%progs%/thousand 50 8'
 * expect:  exact
 */
pid$target:a.out:f[1-9][0-9]:entry { @calls = count(); @sum = sum(2); @each[probefunc] = count(); }
pid$target:a.out:f[1-9][0-9]:return { @returns = count(); }
END { trunc(@each, 1); printa("%@d %@d\n", @calls, @sum); printa("%@d\n", @returns); printa("%@d\n", @each); }
