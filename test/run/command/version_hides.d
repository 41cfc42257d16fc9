/*@
 * what:    with -x version, names newer than the requested D version are free for the program
 */
#pragma D option version=1.0
int strstr;
BEGIN { strstr = 4; stddev = 5; printf("%d %d\n", strstr, stddev); exit(0); }
