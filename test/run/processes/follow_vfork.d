/*@
 * what:    the target's probes do not fire in a child created by vfork(2), although it shares the target's memory
 * run:     -qs %file% -c '%progs%/vforks 3'
 * expect:  exact
 */
pid$target:a.out:worked:entry,pid$target:a.out:worked:return { @[probename] = count(); }
END { printa("%s %@d\n", @); }
