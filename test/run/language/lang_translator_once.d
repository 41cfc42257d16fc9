/*@
 * what:    the input of a translator is evaluated once for each use of a member
 */
struct sums { int twice; int thrice; int none; };
translator struct sums < int I > { twice = I + I; thrice = I + I + I; none = 0; };
BEGIN {
	x = 5;
	printf("%d ", xlate<struct sums>(x++).twice);
	printf("%d ", xlate<struct sums>(x++).thrice);
	printf("%d %d\n", xlate<struct sums>(x++).none, x);
	exit(0);
}
