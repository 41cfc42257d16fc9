/*@
 * what:    stringof() and a cast to string convert char arrays and char pointers to strings
 */
BEGIN {
	printf("%d %d\n", stringof(curthread->comm) == execname, (string)curthread->comm == execname);
	printf("%d\n", stringof(&curthread->comm[0]) == execname);
	exit(0);
}
