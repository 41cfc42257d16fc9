/*@
 * what:    user symbols resolve to the executable first, and an untyped symbol has its own size
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/globals 3'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %#x %d", ``counter, globals``counter, ``small, (short)``small);
	printf(" %d %d %s\n", ``large, ``hidden, copyinstr((uintptr_t)&``greeting));
}
