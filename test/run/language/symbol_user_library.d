/*@
 * what:    a library can be named without version in libc``getppid, a function name is its address, and sizeof works on variables
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/globals'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%A %d %d %A\n", (uintptr_t)libc``getppid, sizeof(``counter), sizeof(``table), (uintptr_t)&``main);
}
