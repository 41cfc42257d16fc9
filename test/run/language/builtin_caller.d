/*@
 * what:    caller is a kernel address, and 0 in probes without a caller
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
BEGIN { printf("%d\n", caller); }
syscall::getppid:entry /pid == $target/ { printf("%d\n", caller > 0x8000000000000000); }
END { printf("%d\n", caller); }
