/*@
 * what:    a clause that allocates more than option scratchsize raises the fault "out of scratch space"
 * stderr:  exact
 */
#pragma D option scratchsize=64
int n;
BEGIN { alloca(64); printf("all\n"); }
BEGIN { alloca(64); alloca(1); printf("never\n"); }
BEGIN { alloca(57); alloca(0); printf("rounded\n"); }
BEGIN { n = 65; alloca(n); printf("never\n"); }
BEGIN { n = -1; alloca(n); printf("never\n"); }
BEGIN { n = 64; alloca(n); printf("all\n"); exit(0); }
