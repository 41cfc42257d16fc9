/*@
 * what:    commit() and discard() ignore id 0 and inactive ids, and raise a fault for ids above option nspec
 */
BEGIN { discard(0); discard(1); commit(0); commit(1); a = 1; }
BEGIN { commit(2); a = 2; }
BEGIN { discard(-1); a = 3; }
ERROR { printf("%d %d\n", arg4 == DTRACEFLT_ILLOP, a); }
BEGIN { exit(0); }
