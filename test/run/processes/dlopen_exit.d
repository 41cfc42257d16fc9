/*@
 * what:    what the first firings of a probe record that was added is printed, also when they end the run
 * run:     -Zqs %file% -c 'env %progs%/market 100000000'
 * expect:  exact
 */
shop$target:::sale /++n <= 3/ { printf("%d\n", n); }
shop$target:::sale /n == 3/ { exit(0); }
