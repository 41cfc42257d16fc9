/*@
 * what:    with -x followchildren=fork, the target's probes also fire in its children, and $target is still the pid of the target
 * run:     -x followchildren=fork -qs %file% -c '%progs%/calls 3 fork'
 * expect:  exact
 */
pid$target:a.out:add8:entry { @[pid == $target ? "target" : "child"] = count(); }
END { printa("%s %@d\n", @); }
