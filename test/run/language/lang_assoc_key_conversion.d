/*@
 * what:    keys of an associative array convert to the types of its first use
 */
BEGIN { m[(char)1] = 7; printf("%d\n", m[257]); exit(0); }
