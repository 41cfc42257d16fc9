/*@
 * what:    a probe for each call, all counted by name
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls gettid 777'
 */
syscall:::entry /pid == $target/ { @[probefunc] = count(); }
END { trunc(@, 1); }
