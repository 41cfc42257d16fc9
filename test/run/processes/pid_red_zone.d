/*@
 * needs:   x86-64
 * what:    probes on all instructions of a function that keeps data below its stack pointer do it no harm, also around nops of five bytes
 * run:     -qs %file% -c '%progs%/red_zone 3000'
 * expect:  exact
 */
pid$target:a.out:keeps:[0-9]* { @[probename] = count(); }
END { printa("%s %@d\n", @); }
