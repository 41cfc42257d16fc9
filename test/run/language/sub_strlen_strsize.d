/*@
 * what:    strlen() returns at most strsize
 */
#pragma D option strsize=4
BEGIN { s = "abcdefgh"; printf("%d %d %s\n", strlen("abcdefgh"), strlen(s), s); exit(0); }
