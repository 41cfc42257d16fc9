/*@
 * what:    a value longer than strsize is truncated
 */
#pragma D option strsize=4
string s;
BEGIN { s = "abcdefgh"; printf("%s %d\n", s, strlen(s)); exit(0); }
