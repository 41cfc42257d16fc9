/*@
 * what:    a NULL string equals NULL, and no other string does
 */
string s[int];
BEGIN { printf("%d %d %d %d\n", "" == NULL, s[1] == NULL, s[1] != NULL, "a" != NULL); exit(0); }
