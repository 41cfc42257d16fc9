/*@
 * what:    when all ids are taken speculation() gives 0, until one is given back; giving it back twice frees no second
 * run:     -x nspec=2 -qs %file%
 */
BEGIN { printf("%d %d %d\n", speculation(), speculation(), speculation()); }
BEGIN { discard(2); }
BEGIN { discard(2); }
BEGIN { printf("%d %d\n", speculation(), speculation()); }
BEGIN { commit(1); }
BEGIN { printf("%d %d\n", speculation(), speculation()); }
BEGIN { exit(0); }
