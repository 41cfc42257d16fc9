/*@
 * what:    records of a probe added during the trace are printed, even if its first hits end the run
 * run:     -Zqs %file% -c 'env %progs%/market 100000000'
 * expect:  exact
 */
shop$target:::sale /++n <= 3/ { printf("%d\n", n); }
shop$target:::sale /n == 3/ { exit(0); }
