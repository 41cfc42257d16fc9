/*@
 * what:    -x followchildren=fork fires the target's probes in its children under the target's name, and $target stays the target
 * run:     -x followchildren=fork -qs %file% -c '%progs%/calls 3 fork'
 * expect:  exact
 */
pid$target:a.out:add8:entry { @[pid == $target ? "target" : "child"] = count(); }
END { printa("%s %@d\n", @); }
