/*@
 * what:    copyinto() and bcopy() can write through a pointer to a D array
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/appends %tmp%/file 1'
 */
char to[8];
int numbers[4];

syscall::write:entry
/pid == $target && arg0 == 3/
{
	p = to;
	copyinto(arg1, 3, p);
	copyinto(arg1 + 4, 2, p + 4);
	printf("%s|%s\n", stringof(to), stringof(&to[4]));
	n = numbers;
	numbers[1] = 7;
	bcopy(&numbers[1], n + 3, sizeof(int));
	printf("%d %d %d\n", numbers[0], numbers[1], numbers[3]);
}
