/*@
 * what:    symbols of the process of -p
 * needs:   syscall
 * trigger: %progs%/globals 1000000000
 * run:     -qs %file% -p %pid%
 */
syscall::getppid:entry
/pid == $target && ``counter > 42/
{
	printf("%d\n", ``large);
	exit(0);
}
