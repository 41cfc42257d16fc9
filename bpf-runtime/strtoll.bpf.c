/* strtoll(): leading blanks, a sign, digits; base 16 may begin with 0x. Overflow wraps. */
#include "bpf-runtime/runtime.h"

enum { BLANKS, FIRST, PREFIX, DIGITS };

struct number {
	const dt_u8 *text;
	dt_u64 size, base, value, negative, phase;
};

/* The value of a digit or letter; more than any base for other characters. */
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
	if (n->phase == FIRST) {
		dt_u64 next = i + 1, after = i + 2;

		n->phase = DIGITS;
		/* The x of 0x stands where a digit would: let the 0 pass, then skip it. */
		if (n->base == 16 && c == '0' && after < n->size && (n->text[next] | 0x20) == 'x' && digit(n->text[after]) < 16) {
			n->phase = PREFIX;
			return 0;
		}
	} else if (n->phase == PREFIX) {
		n->phase = DIGITS;
		return 0;
	}
	value = digit(c);
	if (value >= n->base)
		return 1;
	n->value = n->value * n->base + value;
	return 0;
}

/* text is loadable up to its NUL or `size` bytes; 2 <= base <= 36. */
DT_HIDDEN dt_s64 dt_strtoll(dt_u64 text, dt_u64 size, dt_u64 base)
{
	struct number n = {(const dt_u8 *)text, size, base, 0, 0, BLANKS};

	bpf_loop(size, step, &n, 0);
	return (dt_s64)(n.negative ? -n.value : n.value);
}
