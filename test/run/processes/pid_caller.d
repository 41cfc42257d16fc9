/*@
 * what:    in a probe on a function of the target, stack() is empty, and ustack() begins with that function
 * run:     -qs %file% -c '%progs%/calls 1'
 * expect:  regex
 */
pid$target:a.out:hidden:entry { printf("%d %d\n", stackdepth, caller == 0); ustack(1); }
