/*@
 * what:    equal kernel stacks are the same aggregation key
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 5'
 */
syscall::getppid:entry /pid == $target/ { @[stack(3)] = count(); @n = sum(stackdepth >= 3); }
