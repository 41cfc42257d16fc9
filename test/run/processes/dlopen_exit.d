/*@
 * what:    if exit() runs in a probe of a library loaded during the trace, the records of its earlier hits are printed
 * run:     -Zqs %file% -c 'env %progs%/market 100000000'
 * expect:  exact
 */
shop$target:::sale /++n <= 3/ { printf("%d\n", n); }
shop$target:::sale /n == 3/ { exit(0); }
