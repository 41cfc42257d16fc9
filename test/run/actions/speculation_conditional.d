/*@
 * what:    speculate() under an if: the clause's records go where the path taken says
 */
int z;
BEGIN { s = speculation(); }
BEGIN { if (z) speculate(s); printf("plain\n"); }
BEGIN { if (z) speculate(s); }
BEGIN { z = 1; if (z) speculate(s); printf("put aside\n"); }
BEGIN { if (z) { speculate(s); printf("inner\n"); } else printf("other\n"); }
BEGIN { if (!z) { speculate(s); printf("inner\n"); } else printf("other\n"); }
BEGIN { if (z) speculate(s + 1); printf("a dead id ends the clause\n"); }
BEGIN { printf("before\n"); }
BEGIN { commit(s); }
BEGIN { exit(0); }
