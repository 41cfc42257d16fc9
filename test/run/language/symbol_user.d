/*@
 * what:    symbols of the process, of the executable first; what has no type is as wide as it is, or a word
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/globals 3'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %#x %d", ``counter, globals``counter, ``small, (short)``small);
	printf(" %d %d %s\n", ``large, ``hidden, copyinstr((uintptr_t)&``greeting));
}
