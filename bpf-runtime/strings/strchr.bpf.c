/* strchr() and strrchr(): the part of a string from the first or last occurrence of a character on. dtrace-actions(7),
 * strchr. */
#include "bpf-runtime/runtime.h"

struct search {
	const dt_u8 *text;
	dt_u64 size, wanted, last, found;
};

static long step(dt_u32 i, struct search *s)
{
	dt_u8 c;

	if (i >= s->size)
		return 1;
	c = s->text[i];
	if (!c)
		return 1;
	if (c != s->wanted)
		return 0;
	s->found = i;
	return !s->last;
}

/* Returns the address of the first or last `wanted` in text, or 0. Never returns the address of the NUL. */
DT_HIDDEN dt_u64 dt_strchr(dt_u64 text, dt_u64 size, dt_u64 wanted, dt_u64 last)
{
	struct search s = {(const dt_u8 *)text, size, wanted & 0xff, last, DT_NOWHERE};
	dt_u64 at;

	DT_LOOP(size, size, step, &s, &s.found);
	at = s.found;
	if (at >= size)
		return 0;
	DT_OPAQUE(at);
	return text + at;
}
