/*@
 * what:    string comparison treats characters above 127 as larger than others
 */
BEGIN { a = "\377"; b = "a"; printf("%d %d\n", a > b, a == "\xff"); exit(0); }
