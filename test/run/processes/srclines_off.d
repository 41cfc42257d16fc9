/*@
 * what:    without -x srclines frames are the symbols' alone, one for each function that was called
 * run:     -qs %file% -x format=folded -c '%progs%/inlined'
 */
pid$target:a.out:leaf:entry { @[ustack(3)] = count(); }
