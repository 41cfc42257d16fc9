/*@
 * what:    the branches of ?: can be strings, pointers or NULL
 */
BEGIN {
	x = 1;
	printf("%s %d %s\n", x ? "yes" : "no", (x ? curthread : NULL) == curthread, x > 5 ? execname : "small");
	exit(0);
}
