/*@
 * needs:   uprobe
 * what:    probes built with -G give arguments of their declared types and order, including unread user strings
 * run:     -qs %file% -c '%progs%/market 3'
 * expect:  exact
 */
shop$target:::open { printf("%s:%s:%s\n", probemod, probefunc, probename); }
shop$target:::sale { printf("%d %s in %s\n", args[0], copyinstr(arg1), probefunc); }
shop$target:::many { printf("%d %d %d %d\n", args[0], args[5], args[6], args[7]); }
shop$target:::close-day { printf("%c %d in %s\n", args[0], args[1], probefunc); }
