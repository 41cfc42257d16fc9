/*@
 * what:    commit() and discard() work inside an if
 * run:     -q -x nspec=2 -s %file%
 */
int z;
BEGIN { s = speculation(); t = speculation(); }
BEGIN { speculate(s); printf("first\n"); }
BEGIN { speculate(t); printf("second\n"); }
BEGIN { if (z) commit(s); else discard(t); }
BEGIN { printf("not yet\n"); }
BEGIN { z = 1; if (z) commit(s); else discard(s); }
BEGIN { commit(t); }
BEGIN { exit(0); }
