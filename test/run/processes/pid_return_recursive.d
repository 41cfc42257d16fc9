/*@
 * what:    each return of a recursive function fires with its result, at any depth
 * run:     -qs %file% -c %progs%/nested
 * expect:  exact
 */
pid$target:a.out:recursive:return { @returns = count(); @results = sum(arg1); }
END { printa("returns %@d\n", @returns); printa("results %@d\n", @results); }
