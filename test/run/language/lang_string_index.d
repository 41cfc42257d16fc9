/*@
 * what:    a string can be subscripted
 */
string s;
BEGIN { s = "hello"; printf("%c%c %d\n", s[1], "hello"[4], s[5]); exit(0); }
