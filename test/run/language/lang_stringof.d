/*@
 * what:    stringof and casts convert char arrays and pointers to strings
 */
BEGIN {
	printf("%d %d\n", stringof(curthread->comm) == execname, (string)curthread->comm == execname);
	printf("%d\n", stringof(&curthread->comm[0]) == execname);
	exit(0);
}
