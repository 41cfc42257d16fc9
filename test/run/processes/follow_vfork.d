/*@
 * what:    a vfork(2) child, which shares the target's memory, does not fire the target's probes
 * run:     -qs %file% -c '%progs%/vforks 3'
 * expect:  exact
 */
pid$target:a.out:worked:entry,pid$target:a.out:worked:return { @[probename] = count(); }
END { printa("%s %@d\n", @); }
