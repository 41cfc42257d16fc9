/*@
 * what:    +=, -= and the other compound assignments work on D variables
 */
BEGIN {
	x = 100; x += 5; x -= 3; x *= 2; x /= 4; x %= 31; printf("%d ", x);
	x <<= 3; x >>= 1; x |= 1; x &= 0x1f; x ^= 0x10; printf("%d\n", x); exit(0);
}
