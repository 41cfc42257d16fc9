/*@
 * needs:   x86-64
 * what:    probes on every instruction do not change data below the stack pointer (red zone)
 * run:     -qs %file% -c '%progs%/red_zone 3000'
 * expect:  exact
 */
pid$target:a.out:keeps:[0-9]* { @[probename] = count(); }
END { printa("%s %@d\n", @); }
