/*@
 * what:    with -x version, a program may define its own variables with names that later D versions reserve
 */
#pragma D option version=1.0
int strstr;
BEGIN { strstr = 4; stddev = 5; printf("%d %d\n", strstr, stddev); exit(0); }
