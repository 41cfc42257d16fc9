/*@
 * what:    a frame pointer register that does not point into the stack leads to no further frames
 * needs:   syscall
 * run:     -q -c %progs%/no_frames
 */
syscall::getppid:entry /pid == $target/ { printf("%d %d\n", ustackdepth, ucaller == 0); @[ustack()] = count(); exit(0); }
END { printa("%@d\n", @); }
