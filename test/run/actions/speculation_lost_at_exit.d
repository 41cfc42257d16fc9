/*@
 * what:    a speculation that is active at exit is dropped silently
 */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("never\n"); }
BEGIN { exit(0); }
