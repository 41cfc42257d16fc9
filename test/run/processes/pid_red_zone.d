/*@
 * needs:   x86-64
 * what:    probes on all instructions leave data below the stack pointer (red zone) unchanged
 * run:     -qs %file% -c '%progs%/red_zone 3000'
 * expect:  exact
 */
pid$target:a.out:keeps:[0-9]* { @[probename] = count(); }
END { printa("%s %@d\n", @); }
