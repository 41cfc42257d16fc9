/*@
 * what:    enumerators are integer constants, and an enum has the size of int
 */
enum c { RED = 3, GREEN, BLUE = -1 };
enum c e; int a[GREEN];
BEGIN { e = GREEN; printf("%d %d %d %d %d\n", e, RED, BLUE, sizeof (a), e == GREEN); exit(0); }
