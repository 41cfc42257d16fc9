/*@
 * what:    a speculation that is neither committed nor discarded at exit is dropped without a message
 */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("never\n"); }
BEGIN { exit(0); }
