/*@
 * what:    #pragma D option sets options such as quiet and strsize
 * run:     -s %file%
 */
#pragma D option quiet
#pragma D option strsize=4
BEGIN { printf("%d\n", sizeof (string)); exit(0); }
