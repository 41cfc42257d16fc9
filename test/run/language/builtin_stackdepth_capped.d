/*@
 * what:    option maxframes limits stackdepth and ustackdepth
 * needs:   syscall
 * run:     -x maxframes=2 -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { printf("%d %d\n", stackdepth, ustackdepth); }
