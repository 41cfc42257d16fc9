/*@
 * what:    in the first pid namespace a process knows itself by its pid
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry /pid == $target/ { printf("%d %d\n", nspid == pid || nspid < pid, nstid == tid || nstid < tid); }
