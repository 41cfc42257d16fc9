/*@
 * what:    an associative array can have several keys of different types, and missing or deleted elements read as 0
 */
int m[string, int]; string names[int];
BEGIN {
	m["a", 1] = 5; m["a", 2]++; names[3] = "three"; c[1, "x"] = 9; d["k"]++;
	printf("%d %d %d %s %d %d\n", m["a", 1], m["a", 2], m["b", 1], names[3], c[1, "x"], d["k"]);
	m["a", 1] = 0; names[3] = 0;
	printf("%d %d\n", m["a", 1], names[3] == NULL);
	exit(0);
}
