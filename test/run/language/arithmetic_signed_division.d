/*@
 * what:    signed division by constants works for integers of every width, with every version of the BPF instruction set
 */
#pragma D option quiet

int64_t x;
int w;
short h;
char c;

BEGIN
{
	x = -9223372036854775807 - 1;
	w = -70000;
	h = -300;
	c = -5;
	printf("%d %d %d %d\n", x / 3, x % 3, x / -7, x % -7);
	printf("%d %d %d %d\n", x / 16, x % 16, x / 1000000007, x % 1000000007);
	printf("%d %d %d %d\n", w / 3, w % 3, h / 7, c % 3);
	printf("%d %d %d\n", x / -1 == x, w / -1, h % -1);
	printf("%d %d %d\n", (int)x, (short)w, (char)h);
	exit(0);
}
