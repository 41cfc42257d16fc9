/*@
 * what:    an aggregation counts a thousand keys separately
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 5000' -x aggsortkey
 */
syscall::getppid:entry /pid == $target/ { @[n++ % 1000] = count(); }
END { printa("%d\n", @); }
