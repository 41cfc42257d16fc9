/*@
 * what:    keys of an associative array are converted to the types of the keys in its first use
 */
BEGIN { m[(char)1] = 7; printf("%d\n", m[257]); exit(0); }
