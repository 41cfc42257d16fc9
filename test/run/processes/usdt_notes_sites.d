/*@
 * needs:   uprobe
 * what:    a USDT probe at several places in the code fires at each place with the arguments passed there
 * run:     -qs %file% -c '%progs%/notes 5'
 * expect:  exact
 */
forms$target:::twice { @times[arg1] = count(); @sums[arg1] = sum(arg0); }
END { printa("site %d: %@d times, sum %@d\n", @times, @sums); }
