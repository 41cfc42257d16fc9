/*@
 * what:    with -x followchildren=fork, the target's probes fire in a child created by vfork(2)
 * run:     -x followchildren=fork -qs %file% -c '%progs%/vforks 3'
 * expect:  exact
 */
pid$target:a.out:worked:entry { @[pid == $target ? "target" : "child"] = count(); }
END { printa("%s %@d\n", @); }
