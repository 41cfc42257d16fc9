/*@
 * what:    without -x followchildren, probes of a process do not fire in children that it forks
 * run:     -qs %file% -c '%progs%/calls 3 fork'
 * expect:  exact
 */
pid$target:a.out:add8:entry { @[pid == $target ? "target" : "child"] = count(); }
END { printa("%s %@d\n", @); }
