/*@
 * needs:   uprobe
 * what:    probes of a program built with -G have the declared argument types, and the tracer can read strings that the program has not touched
 * run:     -qs %file% -c '%progs%/market 3'
 * expect:  exact
 */
shop$target:::open { printf("%s:%s:%s\n", probemod, probefunc, probename); }
shop$target:::sale { printf("%d %s in %s\n", args[0], copyinstr(arg1), probefunc); }
shop$target:::many { printf("%d %d %d %d\n", args[0], args[5], args[6], args[7]); }
shop$target:::close-day { printf("%c %d in %s\n", args[0], args[1], probefunc); }
