/*@
 * what:    xlate evaluates its argument once even if the translated member uses it several times
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
