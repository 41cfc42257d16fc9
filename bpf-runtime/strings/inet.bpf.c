/* inet_ntoa() and inet_ntoa6(): dtrace-actions(7), inet_ntoa. A mask bounds the write position without branches, so
 * that the verifier follows few paths. */
#include "bpf-runtime/runtime.h"

#define ROOM 64 /* room for either result (at most 46 bytes with a NUL); a power of two for the mask */

struct text {
	dt_u8 *out;
	dt_u64 at;
};

/* Appends a character if `wanted` is 1. If it is 0, the next character overwrites it. */
DT_INLINE void put(struct text *t, dt_u64 character, dt_u64 wanted)
{
	dt_u64 at = t->at & (ROOM - 1);

	t->out[at] = character;
	t->at = at + wanted;
}

DT_INLINE dt_u64 less(dt_u64 a, dt_u64 b) /* Returns 1 if a < b, else 0; both must be below 2^63. */
{
	return (a - b) >> 63;
}

DT_INLINE void put_dotted(struct text *t, const dt_u8 *bytes)
{
	int i;

#pragma unroll
	for (i = 0; i < 4; i++) {
		dt_u64 v = bytes[i];

		put(t, '0' + v / 100, less(99, v));
		put(t, '0' + v / 10 % 10, less(9, v));
		put(t, '0' + v % 10, 1);
		if (i < 3)
			put(t, '.', 1);
	}
}

/* Writes the text of the IPv4 address in the 4 bytes at src to the 64 bytes at dst. */
DT_HIDDEN dt_u64 dt_inet_ntoa(dt_u64 dst, dt_u64 src)
{
	struct text t = {(dt_u8 *)dst, 0};

	put_dotted(&t, (const dt_u8 *)src);
	put(&t, 0, 1);
	return 0;
}

struct groups {
	struct text text;
	const dt_u8 *bytes;            /* the address in network byte order */
	dt_u64 run, best, best_length; /* `run`: current sequence of zero groups; start and length of the longest sequence */
};

DT_INLINE dt_u64 group(const struct groups *g, dt_u64 i)
{
	return (dt_u64)g->bytes[i * 2] << 8 | g->bytes[i * 2 + 1];
}

static long find_zeros(dt_u32 i, struct groups *g)
{
	dt_u64 run;

	if (i >= 8)
		return 1;
	run = group(g, i) ? 0 : g->run + 1;
	g->run = run;
	if (run > g->best_length) {
		g->best_length = run;
		g->best = i + 1 - run;
	}
	return 0;
}

DT_INLINE dt_u64 hex(dt_u64 digit)
{
	return '0' + digit + less(9, digit) * ('a' - '0' - 10);
}

static long put_group(dt_u32 i, struct groups *g)
{
	dt_u64 v;

	if (i >= 8)
		return 1;
	if (i - g->best < g->best_length) {
		/* "::" consists of this colon and the one after the previous group; without a previous group, a colon
		 * is added here */
		put(&g->text, ':', i == g->best && !i);
		put(&g->text, ':', i == g->best);
		return 0;
	}
	v = group(g, i);
	put(&g->text, hex(v >> 12), less(0xfff, v));
	put(&g->text, hex(v >> 8 & 15), less(0xff, v));
	put(&g->text, hex(v >> 4 & 15), less(0xf, v));
	put(&g->text, hex(v & 15), 1);
	put(&g->text, ':', i < 7);
	return 0;
}

DT_INLINE void put_prefix(struct text *t, dt_u64 mapped)
{
	put(t, ':', 1);
	put(t, ':', 1);
	put(t, 'f', mapped);
	put(t, 'f', mapped);
	put(t, 'f', mapped);
	put(t, 'f', mapped);
	put(t, ':', mapped);
}

/* Writes the text of the IPv6 address in the 16 bytes at src (aligned to 8) to the 64 bytes at dst. */
DT_HIDDEN dt_u64 dt_inet_ntoa6(dt_u64 dst, dt_u64 src, dt_u64 strict)
{
	const dt_u8 *bytes = (const dt_u8 *)src;
	struct groups g = {{(dt_u8 *)dst, 0}, bytes};
	dt_u64 zeros, mapped, last;

	g.text.at = DT_UNKNOWN(0);
	g.run = DT_UNKNOWN(0);
	g.best = DT_UNKNOWN(0);
	g.best_length = DT_UNKNOWN(0);
	zeros = *(const dt_u64 *)bytes | *(const dt_u16 *)(bytes + 8); /* the bytes of groups 0 to 4 of the address */
	mapped = *(const dt_u16 *)(bytes + 10) == 0xffff;
	last = __builtin_bswap32(*(const dt_u32 *)(bytes + 12));
	if (!zeros && (mapped || (!*(const dt_u16 *)(bytes + 10) && last > 1))) {
		if (strict)
			put_prefix(&g.text, mapped);
		put_dotted(&g.text, bytes + 12);
	} else {
		DT_LOOP(8, 8, find_zeros, &g, &g.run, &g.best, &g.best_length);
		if (g.best_length < 2)
			g.best_length = 0;
		DT_LOOP(8, 8, put_group, &g, &g.text.at);
	}
	put(&g.text, 0, 1);
	return 0;
}
