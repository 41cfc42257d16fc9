/*@
 * what:    raise() sends a signal to the traced process
 * needs:   syscall guest
 * run:     -q -w -s %file% -c '%progs%/syscalls getppid 100'
 */
syscall::getppid:entry /pid == $target/ { raise(SIGKILL); }
syscall::getppid:* /pid == $target/ { @[probename] = count(); }
END { printa("%s %@d\n", @); }
