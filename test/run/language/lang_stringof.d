/*@
 * what:    stringof and a cast make strings of char arrays and pointers
 */
BEGIN {
	printf("%d %d\n", stringof(curthread->comm) == execname, (string)curthread->comm == execname);
	printf("%d\n", stringof(&curthread->comm[0]) == execname);
	exit(0);
}
