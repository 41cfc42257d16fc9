/*@
 * what:    copyout() and copyoutstr() to an address that cannot be written raise a fault
 * needs:   guest
 * run:     -q -w
 * stderr:  exact
 */
BEGIN { copyout(alloca(8), 0, 8); }
BEGIN { copyout(alloca(8), 8, 8); }
BEGIN { copyoutstr("hello", 16, 6); }
BEGIN { copyout((void *)24, 0, 8); }
BEGIN { exit(0); }
