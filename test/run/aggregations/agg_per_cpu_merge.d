/*@
 * what:    counts from threads on different CPUs are added up
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/storm 20000 4'
 */
syscall::getppid:entry /pid == $target/ { @c = count(); @s = sum(2); @k[probefunc] = count(); @q = quantize(8); @a = avg(6); }
