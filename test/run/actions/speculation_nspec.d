/*@
 * what:    speculation() returns the lowest free id, up to the number in option nspec
 * run:     -x nspec=3 -qs %file%
 */
BEGIN { printf("%d %d %d\n", speculation(), speculation(), speculation()); }
BEGIN { discard(2); }
BEGIN { exit(0); }
