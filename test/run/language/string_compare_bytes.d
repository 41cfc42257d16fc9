/*@
 * what:    string comparison treats bytes as unsigned
 */
BEGIN { a = "\377"; b = "a"; printf("%d %d\n", a > b, a == "\xff"); exit(0); }
