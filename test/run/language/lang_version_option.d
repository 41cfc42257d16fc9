/*@
 * what:    an older language version hides what was bound to a newer one
 */
#pragma D option version=1.5
BEGIN { printf("ok\n"); exit(0); }
