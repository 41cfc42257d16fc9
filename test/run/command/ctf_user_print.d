/*@
 * what:    print() shows a user struct by its CTF type
 * needs:   syscall ctf
 * expect:  regex
 * run:     -qs %file% -c '%progs%/globals_ctf'
 */
syscall::getppid:entry
/pid == $target/
{
	print(``top->next);
}
