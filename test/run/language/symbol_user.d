/*@
 * what:    ``NAME finds a variable of the traced program; without debug information its size is that of the symbol
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/globals 3'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %#x %d", ``counter, globals``counter, ``small, (short)``small);
	printf(" %d %d %s\n", ``large, ``hidden, copyinstr((uintptr_t)&``greeting));
}
