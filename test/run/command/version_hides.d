/*@
 * what:    names that are younger than the version asked for are the program's
 */
#pragma D option version=1.0
int strstr;
BEGIN { strstr = 4; stddev = 5; printf("%d %d\n", strstr, stddev); exit(0); }
