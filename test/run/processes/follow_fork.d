/*@
 * what:    -x follow=fork: probes of the target fire in its children, under the target's name; $target is the target alone
 * run:     -x follow=fork -qs %file% -c '%progs%/calls 3 fork'
 * expect:  exact
 */
pid$target:a.out:add8:entry { @[pid == $target ? "target" : "child"] = count(); }
END { printa("%s %@d\n", @); }
