/*@
 * needs:   uprobe
 * what:    probes that -G described: arguments, also texts that the program has not read itself, from registers and the stack, by the types of the definition, and in its order
 * run:     -qs %file% -c '%progs%/market 3'
 * expect:  exact
 */
shop$target:::open { printf("%s:%s:%s\n", probemod, probefunc, probename); }
shop$target:::sale { printf("%d %s in %s\n", args[0], copyinstr(arg1), probefunc); }
shop$target:::many { printf("%d %d %d %d\n", args[0], args[5], args[6], args[7]); }
shop$target:::close-day { printf("%c %d in %s\n", args[0], args[1], probefunc); }
