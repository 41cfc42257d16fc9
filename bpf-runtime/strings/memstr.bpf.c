/* memstr(): dtrace-actions(7), memstr. Replaces zero bytes by a character, eight bytes at a time. */
#include "bpf-runtime/runtime.h"

#define EACH(byte) (0x0101010101010101ULL * (byte))

struct bytes {
	dt_u64 *words;
	dt_u64 count, most, replacement;
};

static long step(dt_u32 i, struct bytes *b)
{
	const dt_u64 low = EACH(0x7f);
	dt_u64 word, tops;

	if (i >= b->most)
		return 1;
	word = b->words[i];
	tops = ~(((word & low) + low) | word | low); /* 0x80 where a byte is 0 */
	b->words[i] = word | (tops >> 7) * b->replacement;
	return i >= b->count;
}

/* Replaces each zero byte among the first `length` bytes at `text` by a character, and writes a NUL after these bytes.
 * `text` has `size` bytes, a constant and a multiple of 8. */
DT_HIDDEN dt_u64 dt_memstr(dt_u64 text, dt_u64 length, dt_u64 size, dt_u64 character)
{
	struct bytes b = {(dt_u64 *)text, length / 8, size / 8, character & 0xff};

	DT_LOOP(b.most, b.most, step, &b);
	if (length < size) {
		DT_OPAQUE(length);
		((dt_u8 *)text)[length] = 0;
	}
	return 0;
}
