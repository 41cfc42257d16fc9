/*@
 * what:    line comments are ignored, and slashes in a string are kept
 */
// first
BEGIN { // here
	printf("http://%d\n", 4 // 2
	); // "quoted
	exit(0);
}
