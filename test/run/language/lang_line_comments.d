/*@
 * what:    line comments, and a string with slashes in it
 */
// first
BEGIN { // here
	printf("http://%d\n", 4 // 2
	); // "quoted
	exit(0);
}
