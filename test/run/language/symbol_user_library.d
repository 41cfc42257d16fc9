/*@
 * what:    a library's symbols by its short name; functions are addresses; sizeof is the symbol's size
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/globals'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%A %d %d %A\n", (uintptr_t)libc``getppid, sizeof(``counter), sizeof(``table), (uintptr_t)&``main);
}
