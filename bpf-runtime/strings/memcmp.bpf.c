/* memcmp(): dtrace-actions(7), memcmp. Compares eight bytes at a time. */
#include "bpf-runtime/runtime.h"

struct compare {
	const dt_u64 *first, *second;
	dt_u64 most, order;
};

static long step(dt_u32 i, struct compare *c)
{
	dt_u64 first, second;

	if (i >= c->most)
		return 1;
	first = c->first[i];
	second = c->second[i];
	if (first == second)
		return 0;
	/* the first different byte in memory decides; after the swap it is the most significant one */
	first = __builtin_bswap64(first);
	second = __builtin_bswap64(second);
	c->order = first < second ? -1ULL : 1;
	return 1;
}

/* Compares `words` words, a constant. Returns -1, 0 or 1. */
DT_HIDDEN dt_s64 dt_memcmp(dt_u64 first, dt_u64 second, dt_u64 words)
{
	struct compare c = {(const dt_u64 *)first, (const dt_u64 *)second, words, DT_UNKNOWN(0)};

	DT_LOOP(words, words, step, &c, &c.order);
	return (dt_s64)DT_UNKNOWN(c.order);
}
