/*@
 * what:    errno is 0 except at the return of a failed system call
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls close 1'
 */
BEGIN { printf("%d\n", errno); }
syscall::close:entry /pid == $target && (int)arg0 == -1/ { printf("%d\n", errno); }
syscall::close:return /pid == $target && errno/ { printf("%d %d\n", errno, errno == EBADF); }
END { printf("%d\n", errno); }
