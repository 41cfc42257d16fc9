/*@
 * what:    ustackdepth counts inner, middle, outer, main and what called main
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/frames'
 */
syscall::getppid:entry /pid == $target/ { printf("%d\n", ustackdepth >= 5 && ustackdepth < 12); }
