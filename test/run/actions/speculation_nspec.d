/*@
 * what:    nspec ids, the lowest free one first
 * run:     -x nspec=3 -qs %file%
 */
BEGIN { printf("%d %d %d\n", speculation(), speculation(), speculation()); }
BEGIN { discard(2); }
BEGIN { exit(0); }
