/*@
 * what:    speculate() inside an if redirects the clause's records only when that branch runs
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
