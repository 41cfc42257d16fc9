/*@
 * what:    a program can select an older version of D with #pragma D option version
 */
#pragma D option version=1.5
BEGIN { printf("ok\n"); exit(0); }
