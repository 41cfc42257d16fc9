/*@
 * what:    without -x sourcelines, frames show symbols only, one per called function
 * run:     -qs %file% -x format=folded -c '%progs%/inlined'
 */
pid$target:a.out:leaf:entry { @[ustack(3)] = count(); }
