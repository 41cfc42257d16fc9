/*@
 * what:    args[] of a system call probe have the system call's declared types, at entry and at return
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls close 1'
 */
syscall::close:entry /pid == $target && (int)arg0 == -1/ { printf("%d %d\n", args[0] == 0xffffffff, sizeof(args[0])); }
syscall::close:return /pid == $target && errno/ { printf("%d %d %d\n", args[0], args[1], sizeof(args[0])); }
