/*@
 * what:    a thousand keys, each with its own count
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 5000' -x aggsortkey
 */
syscall::getppid:entry /pid == $target/ { @[n++ % 1000] = count(); }
END { printa("%d\n", @); }
