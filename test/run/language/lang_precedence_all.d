/*@
 * what:    all operators have the precedence and associativity that they have in C
 */
BEGIN {
	printf("%d %d %d %d\n", 2 + 3 * 4, 20 - 5 - 5, 1 << 2 + 1, 7 & 3 == 3);
	printf("%d %d %d %d\n", 1 | 2 ^ 3 & 2, 1 || 0 && 0, 1 ^^ 1 || 1, 0 ? 1 : 0 ? 2 : 3);
	printf("%d %d %d\n", -2 * 3, !1 + 1, ~0 & 0xf);
	x = y = 5; x += y -= 2;
	printf("%d %d %d\n", x, y, (1, 2));
	exit(0);
}
