/*@
 * what:    speculation() returns 0 when all ids are in use, and discarding an id twice frees only one id
 * run:     -x nspec=2 -qs %file%
 */
BEGIN { printf("%d %d %d\n", speculation(), speculation(), speculation()); }
BEGIN { discard(2); }
BEGIN { discard(2); }
BEGIN { printf("%d %d\n", speculation(), speculation()); }
BEGIN { commit(1); }
BEGIN { printf("%d %d\n", speculation(), speculation()); }
BEGIN { exit(0); }
