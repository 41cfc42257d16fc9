/*@
 * what:    symbols of an executable with a .ctf section have the types given there
 * needs:   syscall ctf
 * run:     -qs %file% -c '%progs%/globals_ctf'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %d %d\n", ``counter, ``small, ``paint == BLUE, ``table[2]);
	printf("%d %d %d %d %s\n", ``first.value, ``first.low, ``first.high, ``first.wide, ``first.name);
	printf("%d %s %s\n", ``top->next->value, stringof(``top->next->name), ``greeting);
	printf("%d %d\n", sizeof(``first), sizeof(``first.name));
}
