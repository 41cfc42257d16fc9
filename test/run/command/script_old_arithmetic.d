/*@
 * what:    a script in the style of older systems, with C arithmetic, unions, scratch arrays and a countdown, runs without changes
 */
#pragma D option quiet
inline int MAX = 10;
inline string SEP = "--------";
int64_t left;
string worst;
struct { int lo, hi; } range;
union { uint32_t w; uint8_t b[4]; } addr;

BEGIN { left = MAX; range.lo = -1 << 4; range.hi = ~0 & 0xff; addr.w = htonl(0x7f000001);
	printf("%d %d %d.%d.%d.%d %s\n", range.lo, range.hi, addr.b[0], addr.b[1], addr.b[2], addr.b[3], SEP); }

BEGIN
{
	this->a = (int *)alloca(8 * sizeof (int));
	this->a[0] = 3; this->a[1] = this->a[0] << 2; *(this->a + 2) = this->a[1] ^ 1;
	bcopy(this->a, this->a + 3, 2 * sizeof (int));
	printf("%d %d %d %d %d\n", this->a[0], this->a[1], this->a[2], this->a[3], this->a[4]);
	worst = worst == "" ? "none" : worst;
	printf("%s %s\n", worst, worst > "m" ? "high" : "low");
	m["a", 1] = 1; m["a", 2] = m["a", 1] + 1; m["b", 1] = m["a", 2]-- + --m["a", 1];
	printf("%d %d %d\n", m["a", 1], m["a", 2], m["b", 1]);
	x = y = z = 7;
	x += y -= z *= 2;
	printf("%d %d %d\n", x, y, z);
	printf("%d\n", 1 + 2 * 3 == 7 && !(4 & 1) || 0 ^^ 1);
	self->p = curthread; self->q = self->p->pid == tid ? "same" : "other";
	printf("%s %s\n", self->q, self->p == curthread ? "p" : "?");
	printf("%s\n", stringof(curthread->comm) == execname ? "comm" : "no");
}
tick-1ms /left-- > 0 && left < 3/ { @[left] = count(); }
tick-1ms /left < 0/ { printa("%d:%@d ", @); printf("\n"); exit(0); }
END { trunc(@); printf("%s\n", SEP); }
