/*@
 * what:    each return of a recursive function with 1,000 nested calls fires with its own result
 * run:     -qs %file% -c %progs%/nested
 * expect:  exact
 */
pid$target:a.out:recursive:return { @returns = count(); @results = sum(arg1); }
END { printa("returns %@d\n", @returns); printa("results %@d\n", @results); }
