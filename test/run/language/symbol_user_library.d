/*@
 * what:    library symbols resolve by the short library name, functions are addresses, and sizeof gives the size
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/globals'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%A %d %d %A\n", (uintptr_t)libc``getppid, sizeof(``counter), sizeof(``table), (uintptr_t)&``main);
}
