/* lltostr(): dtrace-actions(7), lltostr. */
#include "bpf-runtime/runtime.h"

#define ROOM 72 /* buffer size: 64 binary digits, a sign and a NUL, rounded up to a multiple of 8 */

struct digits {
	dt_u8 *out;
	dt_u64 left, base, count;
};

static long step(dt_u32 i, struct digits *d)
{
	dt_u64 digit = d->left % d->base, at = ROOM - 2 - i;

	DT_OPAQUE(at);
	if (at >= ROOM)
		return 1;
	d->out[at] = digit + (digit < 10 ? '0' : 'a' - 10);
	d->count = i + 1;
	d->left /= d->base;
	return d->left == 0;
}

/* Writes the text at the end of the 72 bytes at dst and returns its address. 2 <= base <= 36. */
DT_HIDDEN dt_u64 dt_lltostr(dt_u64 dst, dt_s64 v, dt_u64 base)
{
	dt_u64 sign = (dt_u64)(v >> 63), at;
	struct digits d = {(dt_u8 *)dst, DT_UNKNOWN(((dt_u64)v ^ sign) - sign), base, 0};

	DT_LOOP(64, 64, step, &d, &d.left, &d.count);
	d.out[ROOM - 1] = 0;
	at = ROOM - 1 - d.count - (sign & 1);
#ifdef DT_LOCKED
	dt_own_bytes(d.out + 1, ROOM - 1, ROOM - 1, d.out, ROOM - 1 - d.count, ROOM, 1);
	d.out[0] = '-';
	if (!sign)
		dt_own_bytes(d.out, ROOM, ROOM, d.out, 1, ROOM, 1);
	return dst;
#endif
	DT_OPAQUE(at);
	if (at >= ROOM)
		return dst + ROOM - 1;
	if (sign)
		d.out[at] = '-';
	return dst + at;
}
