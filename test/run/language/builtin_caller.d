/*@
 * what:    caller is a kernel address in a system call probe, and 0 in BEGIN and END
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
BEGIN { printf("%d\n", caller); }
syscall::getppid:entry /pid == $target/ { printf("%d\n", caller > 0x8000000000000000); }
END { printf("%d\n", caller); }
