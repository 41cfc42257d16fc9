/*@
 * what:    arguments, results and returns of Go functions are traced exactly, also when the runtime moves a goroutine's stack
 * needs:   go
 * run:     -qs %file% -c '%progs%/gopher 1000'
 * expect:  exact
 */
pid$target:a.out:main.add:entry { @first = sum(arg0); @third = sum(arg2); }
pid$target:a.out:main.add:return { @result = sum(arg1); }
pid$target:a.out:main.deep:entry { @entries = count(); }
pid$target:a.out:main.deep:return { @returns = count(); @deepest = max(arg1); }
END { printa("%@d %@d %@d\n", @first, @third, @result); printa("%@d %@d %@d\n", @entries, @returns, @deepest); }
