/*@
 * what:    speculation() provides nspec ids and returns the lowest free one
 * run:     -x nspec=3 -qs %file%
 */
BEGIN { printf("%d %d %d\n", speculation(), speculation(), speculation()); }
BEGIN { discard(2); }
BEGIN { exit(0); }
