/*@
 * what:    stack() prints the kernel stack, innermost frame first
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { stack(); printf("end\n"); }
