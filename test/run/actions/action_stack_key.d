/*@
 * what:    equal kernel stacks form one aggregation key
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 5'
 */
syscall::getppid:entry /pid == $target/ { @[stack(3)] = count(); @n = sum(stackdepth >= 3); }
