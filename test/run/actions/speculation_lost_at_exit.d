/*@
 * what:    a speculation that nobody ends is lost silently
 */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("never\n"); }
BEGIN { exit(0); }
