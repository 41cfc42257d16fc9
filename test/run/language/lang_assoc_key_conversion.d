/*@
 * what:    keys are converted to the type of the first
 */
BEGIN { m[(char)1] = 7; printf("%d\n", m[257]); exit(0); }
