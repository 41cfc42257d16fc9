/*@
 * what:    with nspec=18, speculation() provides 18 ids
 * run:     -x nspec=18 -qs %file%
 */
BEGIN { printf("%d%d%d%d%d%d%d%d", speculation(), speculation(), speculation(), speculation(), speculation(), speculation(), speculation(), speculation()); }
BEGIN { printf("%d%d%d%d%d%d%d%d", speculation(), speculation(), speculation(), speculation(), speculation(), speculation(), speculation(), speculation()); }
BEGIN { printf(" %d %d\n", speculation(), speculation()); exit(0); }
