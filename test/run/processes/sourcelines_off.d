/*@
 * what:    without -x sourcelines, stack frames print symbols only, and no inlined functions
 * run:     -qs %file% -x format=folded -c '%progs%/inlined'
 */
pid$target:a.out:leaf:entry { @[ustack(3)] = count(); }
