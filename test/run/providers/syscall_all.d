/*@
 * what:    each system call fires its own probe, and all are counted by name
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls gettid 777'
 */
syscall:::entry /pid == $target/ { @[probefunc] = count(); }
END { trunc(@, 1); }
