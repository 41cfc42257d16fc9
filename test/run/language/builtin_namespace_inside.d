/*@
 * what:    nspid and nstid are right for a process in its own pid namespace
 * needs:   syscall guest
 * run:     -qs %file% -c 'unshare -fp %progs%/syscalls getppid 1'
 */
syscall::getppid:entry /execname == "syscalls"/ { printf("%d %d %d\n", nspid, nstid, pid > 2); }
