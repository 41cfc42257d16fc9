/*@
 * what:    in a function of the target the kernel has no stack, the process has one, which begins with the function
 * run:     -qs %file% -c '%progs%/calls 1'
 * expect:  regex
 */
pid$target:a.out:hidden:entry { printf("%d %d\n", stackdepth, caller == 0); ustack(1); }
