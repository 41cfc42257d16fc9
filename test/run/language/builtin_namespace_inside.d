/*@
 * what:    nspid and nstid are the ids inside the pid namespace of a process that the tracer starts there
 * needs:   syscall guest
 * run:     -qs %file% -c 'unshare -fp %progs%/syscalls getppid 1'
 */
syscall::getppid:entry /execname == "syscalls"/ { printf("%d %d %d\n", nspid, nstid, pid > 2); }
