/*@
 * what:    args[] of Go functions have the types of parameters and results
 * needs:   go
 * run:     -qs %file% -c '%progs%/gopher 2'
 * expect:  exact
 */
pid$target:a.out:main.add:entry { @first = sum(args[0]); @third = sum(args[2]); }
pid$target:a.out:main.add:return { @result = sum(args[1]); }
END { printa("%@d %@d %@d\n", @first, @third, @result); }
