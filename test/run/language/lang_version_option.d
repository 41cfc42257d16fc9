/*@
 * what:    an older language version hides names introduced by a newer one
 */
#pragma D option version=1.5
BEGIN { printf("ok\n"); exit(0); }
