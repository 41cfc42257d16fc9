/* strtoll(): leading blanks, a sign and digits; base 16 allows 0x. Overflow wraps. */
#include "bpf-runtime/runtime.h"

enum { BLANKS, FIRST, ZERO, DIGITS }; /* kind of the expected character; ZERO: the x of 0x, or a digit */

struct number {
	const dt_u8 *text;
	dt_u64 size, base, value, negative, phase;
};

/* Returns the value of a digit or letter, or a number above every base for other characters. */
DT_INLINE dt_u64 digit(dt_u64 c)
{
	dt_u64 letter = (c | 0x20) - 'a';

	if (c - '0' < 10)
		return c - '0';
	return letter < 26 ? letter + 10 : 99;
}

static long step(dt_u32 i, struct number *n)
{
	dt_u64 c, value;

	if (i >= n->size)
		return 1;
	c = n->text[i];
	if (n->phase == BLANKS) {
		if (c == ' ' || c - '\t' < 5)
			return 0;
		n->phase = FIRST;
		if (c == '-' || c == '+') {
			n->negative = c == '-';
			return 0;
		}
	}
	if (n->phase == FIRST && n->base == 16 && c == '0') {
		n->phase = ZERO;
		return 0;
	}
	if (n->phase == ZERO && (c | 0x20) == 'x') {
		n->phase = DIGITS;
		return 0;
	}
	n->phase = DIGITS;
	value = digit(c);
	if (value >= n->base)
		return 1;
	n->value = n->value * n->base + value;
	return 0;
}

/* Parses the text, which must be readable up to its NUL or `size` bytes; 2 <= base <= 36. */
DT_HIDDEN dt_s64 dt_strtoll(dt_u64 text, dt_u64 size, dt_u64 base)
{
	struct number n = {(const dt_u8 *)text, size, base};

	n.phase = DT_UNKNOWN(BLANKS);
	n.value = DT_UNKNOWN(0);
	n.negative = DT_UNKNOWN(0);
	DT_LOOP(size, size, step, &n, &n.value, &n.negative, &n.phase);
	return (dt_s64)DT_UNKNOWN(n.negative ? -n.value : n.value);
}
