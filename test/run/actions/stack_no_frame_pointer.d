/*@
 * what:    ustack() stops when the frame pointer register does not point into the stack
 * needs:   syscall
 * run:     -q -c %progs%/no_frames
 */
syscall::getppid:entry /pid == $target/ { printf("%d %d\n", ustackdepth, ucaller == 0); @[ustack()] = count(); exit(0); }
END { printa("%@d\n", @); }
