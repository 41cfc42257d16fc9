/*@
 * what:    strlen() of a string longer than option strsize returns strsize
 */
#pragma D option strsize=4
BEGIN { s = "abcdefgh"; printf("%d %d %s\n", strlen("abcdefgh"), strlen(s), s); exit(0); }
