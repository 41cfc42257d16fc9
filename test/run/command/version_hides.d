/*@
 * what:    with -x version, a program may use names that later D versions define
 */
#pragma D option version=1.0
int strstr;
BEGIN { strstr = 4; stddev = 5; printf("%d %d\n", strstr, stddev); exit(0); }
