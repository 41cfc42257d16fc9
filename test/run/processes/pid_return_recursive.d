/*@
 * what:    every return of a recursive function is seen, however deep, with its result
 * run:     -qs %file% -c %progs%/nested
 * expect:  exact
 */
pid$target:a.out:recursive:return { @returns = count(); @results = sum(arg1); }
END { printa("returns %@d\n", @returns); printa("results %@d\n", @results); }
