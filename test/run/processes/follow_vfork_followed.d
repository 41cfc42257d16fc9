/*@
 * what:    with -x followchildren=fork, a vfork(2) child fires the target's probes
 * run:     -x followchildren=fork -qs %file% -c '%progs%/vforks 3'
 * expect:  exact
 */
pid$target:a.out:worked:entry { @[pid == $target ? "target" : "child"] = count(); }
END { printa("%s %@d\n", @); }
