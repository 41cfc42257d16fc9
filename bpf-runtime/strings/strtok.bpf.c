/* strtok(): the next token of a text. The text and the search position are stored until the firing ends.
 * dtrace-actions(7), strtok. */
#include "bpf-runtime/runtime.h"

/* State of strtok() in the scratch slot, laid out by dcompiler/lower/builtins/string_subroutines.cpp. */
struct state {
	dt_u64 next;   /* 1 + position at which the next call continues; 0: strtok() was not called yet in this firing */
	dt_u64 set[4]; /* set of delimiters: one bit per character */
	dt_u8 text[];
};

struct tokens {
	struct state *state;
	const dt_u8 *delimiters;
	dt_u64 size, delimiters_size;
	dt_u64 from, start, end, next;
};

static long collect(dt_u32 i, struct tokens *t)
{
	dt_u64 c;

	if (i >= t->delimiters_size)
		return 1;
	c = t->delimiters[i];
	if (!c)
		return 1;
	t->state->set[c >> 6] |= 1ULL << (c & 63);
	return 0;
}

static long step(dt_u32 i, struct tokens *t)
{
	dt_u64 at = t->from + i, c;

	DT_OPAQUE(at);
	if (at >= t->size)
		return 1;
	c = t->state->text[at];
	if (!c) {
		t->next = t->end = at;
		return 1;
	}
	if (t->state->set[c >> 6] >> (c & 63) & 1) {
		t->next = t->end =
			at; /* the next call of strtok() skips this character only if that call's delimiters include it */
		return t->start != DT_NOWHERE;
	}
	if (t->start == DT_NOWHERE)
		t->start = at;
	return 0;
}

/* Copies the token to the buffer dst and returns dst. Returns 0 if there is no token. `sizes`: the size of the text and
 * of dst, and the size of delimiters << 32. */
DT_HIDDEN dt_u64 dt_strtok(dt_u64 dst, dt_u64 state, dt_u64 delimiters, dt_u64 sizes)
{
	struct tokens t = {(struct state *)state, (const dt_u8 *)delimiters, (dt_u32)sizes, sizes >> 32};
	dt_u64 start, length;

	t.from = t.state->next - 1;
	t.start = DT_UNKNOWN(DT_NOWHERE);
	t.end = DT_UNKNOWN(0);
	t.next = DT_UNKNOWN(t.from);
	t.state->set[0] = t.state->set[1] = t.state->set[2] = t.state->set[3] = 0;
	DT_LOOP(t.delimiters_size, t.delimiters_size, collect, &t);
	DT_LOOP(t.size, t.size, step, &t, &t.start, &t.end, &t.next);
	t.state->next = t.next + 1;
	start = t.start;
	length = t.end - start;
	DT_OPAQUE(start);
	DT_OPAQUE(length);
	if (start >= t.size || length >= t.size)
		return 0;
#ifdef DT_LOCKED
	dt_own_bytes((void *)dst, t.size, length + 1, t.state->text, start, t.size, 1);
#else
	bpf_probe_read_kernel_str((void *)dst, length + 1, t.state->text + start);
#endif
	return dst;
}
