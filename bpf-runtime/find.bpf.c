/* index(), rindex() and strstr(): runtime reference 2.2.
 *
 * Rabin and Karp's search: a hash of the last `length` characters is carried along, and only where it equals the needle's are characters
 * compared. So the time is linear, whatever the text: a probe may fire with interrupts off, and strsize squared would be too long. */
#include "bpf-runtime/runtime.h"

struct find {
	const dt_u8 *text, *needle;
	dt_u64 text_size, needle_size; /* constants: bounds for the verifier */
	dt_u64 length;                 /* of the needle */
	dt_u64 power;                  /* BASE^length */
	dt_u64 wanted, hash;
	dt_u64 low, high;              /* positions that count */
	dt_u64 last;                   /* the last match, not the first */
	dt_u64 at, equal, found;
};

#define BASE 0x100000001b3ULL

static long hash_needle(dt_u32 i, struct find *f)
{
	dt_u64 c;

	if (i >= f->needle_size)
		return 1;
	c = f->needle[i];
	if (!c)
		return 1;
	f->wanted = f->wanted * BASE + c;
	f->power *= BASE;
	f->length = i + 1;
	return 0;
}

static long measure(dt_u32 i, struct find *f)
{
	if (i >= f->text_size || !f->text[i])
		return 1;
	f->at = i + 1;
	return 0;
}

static long compare(dt_u32 i, struct find *f)
{
	dt_u64 at = f->at + i;

	DT_OPAQUE(at);
	if (at >= f->text_size || i >= f->needle_size || f->text[at] != f->needle[i]) {
		f->equal = 0;
		return 1;
	}
	return 0;
}

static long scan(dt_u32 i, struct find *f)
{
	dt_u64 c, at, hash;

	if (i >= f->text_size)
		return 1;
	c = f->text[i];
	if (!c)
		return 1;
	hash = f->hash * BASE + c;
	at = i - f->length; /* the character that leaves the window; the window begins after it */
	DT_OPAQUE(at);
	if (at < f->text_size)
		hash -= f->text[at] * f->power;
	f->hash = hash;
	at++;
	if (hash != f->wanted || i + 1 < f->length || at < f->low)
		return 0;
	if (at > f->high)
		return 1;
	f->at = at;
	f->equal = 1;
	bpf_loop(f->length, compare, f, 0);
	if (!f->equal)
		return 0;
	f->found = at;
	return !f->last;
}

/* Where `needle` begins in `text` at or after `low`, and at or before `high`; DT_NOWHERE if it does not. */
DT_INLINE dt_u64 find(struct find *f)
{
	f->length = 0;
	f->wanted = DT_UNKNOWN(0);
	f->hash = DT_UNKNOWN(0);
	f->power = DT_UNKNOWN(1);
	f->found = DT_UNKNOWN(DT_NOWHERE);
	bpf_loop(f->needle_size, hash_needle, f, 0);
	if (f->length) {
		bpf_loop(f->text_size, scan, f, 0);
		return f->found;
	}
	f->at = 0; /* nothing is found everywhere */
	bpf_loop(f->text_size, measure, f, 0);
	if (f->low > f->at)
		return DT_NOWHERE;
	return !f->last ? f->low : f->high < f->at ? f->high : f->at;
}

/* sizes: of text, and of needle << 32. The first position >= start, or with `last` the last one <= start; -1: none. */
DT_HIDDEN dt_s64 dt_find(dt_u64 text, dt_u64 needle, dt_u64 sizes, dt_s64 start, dt_u64 last)
{
	struct find f;

	f.text = (const dt_u8 *)text;
	f.needle = (const dt_u8 *)needle;
	f.text_size = (dt_u32)sizes;
	f.needle_size = sizes >> 32;
	f.last = last;
	f.low = 0;
	f.high = DT_NOWHERE;
	if (last) {
		if (start < 0)
			return -1;
		f.high = start;
	} else if (start > 0) {
		f.low = start;
	}
	return (dt_s64)DT_UNKNOWN(find(&f));
}

/* The address of the first match, or 0. */
DT_HIDDEN dt_u64 dt_strstr(dt_u64 text, dt_u64 needle, dt_u64 sizes)
{
	struct find f;
	dt_u64 at;

	f.text = (const dt_u8 *)text;
	f.needle = (const dt_u8 *)needle;
	f.text_size = (dt_u32)sizes;
	f.needle_size = sizes >> 32;
	f.last = 0;
	f.low = 0;
	f.high = DT_NOWHERE;
	at = find(&f);
	if (at >= f.text_size)
		return 0;
	DT_OPAQUE(at);
	return text + at;
}
