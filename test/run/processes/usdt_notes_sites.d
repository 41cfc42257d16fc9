/*@
 * needs:   uprobe
 * what:    a USDT probe with several sites fires at each with that site's arguments, and raises each counter
 * run:     -qs %file% -c '%progs%/notes 5'
 * expect:  exact
 */
forms$target:::twice { @times[arg1] = count(); @sums[arg1] = sum(arg0); }
END { printa("site %d: %@d times, sum %@d\n", @times, @sums); }
