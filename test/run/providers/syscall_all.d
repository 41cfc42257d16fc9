/*@
 * what:    syscall:::entry fires for each system call, and probefunc counts them by name
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls gettid 777'
 */
syscall:::entry /pid == $target/ { @[probefunc] = count(); }
END { trunc(@, 1); }
