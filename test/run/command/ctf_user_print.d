/*@
 * what:    print() shows a structure of the traced program with the type from the program's .ctf section
 * needs:   syscall ctf
 * expect:  regex
 * run:     -qs %file% -c '%progs%/globals_ctf'
 */
syscall::getppid:entry
/pid == $target/
{
	print(``top->next);
}
