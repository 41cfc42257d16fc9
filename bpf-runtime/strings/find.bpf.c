/* index(), rindex(), strstr() and strcasestr(): dtrace-actions(7), index and strstr.
 *
 * Uses the Rabin-Karp algorithm: a rolling hash of the last `length` characters is compared with the needle's, and
 * characters are compared only if the hashes are equal. The time is linear for any text. A quadratic search would be
 * too long, because a probe may fire with interrupts disabled. */
#include "bpf-runtime/runtime.h"

#define BASE 0x100000001b3ULL

/* Variable state of the search, in memory of the caller (a map value, about which the verifier assumes nothing). */
struct search {
	dt_u64 length; /* length of the needle */
	dt_u64 power;  /* BASE^length, the factor by which a character that leaves the window is removed from the hash */
	dt_u64 wanted, hash;
	dt_u64 low, high; /* range of valid positions */
	dt_u64 last;      /* 1: search for the last match */
	dt_u64 at, equal, found;
};

struct find {
	const dt_u8 *text, *needle;
	dt_u64 text_size, needle_size; /* sizes of the buffers; constants, which give the verifier bounds */
	struct search *s;
};

static long hash_needle(dt_u32 i, struct find *f)
{
	dt_u64 c;

	if (i >= f->needle_size)
		return 1;
	c = f->needle[i];
	if (!c)
		return 1;
	f->s->wanted = f->s->wanted * BASE + c;
	f->s->power *= BASE;
	f->s->length = i + 1;
	return 0;
}

static long measure(dt_u32 i, struct find *f)
{
	if (i >= f->text_size || !f->text[i])
		return 1;
	f->s->at = i + 1;
	return 0;
}

#ifdef DT_PLAIN_KERNEL

#define BLOCK 32
#define MOST_BLOCKS 256

/* Returns 1 if the bytes at two addresses are equal. The verifier checks this function once, and not for each position
 * of a text. */
DT_EXPORT dt_u64 dt_find_compare(dt_u64 first, dt_u64 second, dt_u64 length)
{
#pragma clang loop unroll(disable)
	for (int i = 0; i < MOST_BLOCKS; i++) {
		dt_u64 a[BLOCK / 8] = {}, b[BLOCK / 8] = {}, differs = 0, bytes = length < BLOCK ? length : BLOCK;

		DT_OPAQUE(bytes);
		if (bytes > BLOCK)
			return 0;
		bpf_probe_read_kernel(a, bytes, (const void *)first);
		bpf_probe_read_kernel(b, bytes, (const void *)second);
#pragma unroll
		for (int word = 0; word < BLOCK / 8; word++)
			differs |= a[word] ^ b[word];
		if (differs || bytes < BLOCK)
			return DT_UNKNOWN(!differs);
		first += BLOCK;
		second += BLOCK;
		length = DT_UNKNOWN(length - BLOCK);
	}
	return 0;
}

#else

static long compare(dt_u32 i, struct find *f)
{
	dt_u64 at = f->s->at + i;

	DT_OPAQUE(at);
	if (at >= f->text_size || i >= f->needle_size || f->text[at] != f->needle[i]) {
		f->s->equal = 0;
		return 1;
	}
	return 0;
}

#endif

static long scan(dt_u32 i, struct find *f)
{
	struct search *s = f->s;
	dt_u64 c, at, hash;

	if (i >= f->text_size)
		return 1;
	c = f->text[i];
	if (!c)
		return 1;
	hash = s->hash * BASE + c;
	at = i - s->length; /* index of the character that leaves the window */
	DT_OPAQUE(at);
	if (at < f->text_size)
		hash -= f->text[at] * s->power;
	s->hash = hash;
	at++;
	if (hash != s->wanted || i + 1 < s->length || at < s->low)
		return 0;
	if (at > s->high)
		return 1;
	s->at = at;
	s->equal = 1;
#ifdef DT_PLAIN_KERNEL
	s->equal = dt_find_compare(DT_ADDRESS(f->text) + at, DT_ADDRESS(f->needle), s->length);
#else
	bpf_loop(s->length, compare, f, 0);
#endif
	if (!s->equal)
		return 0;
	s->found = at;
	return !s->last;
}

/* Returns the position of `needle` in `text` between `low` and `high`, or DT_NOWHERE. `sizes`: the size of text, and
 * the size of needle << 32. */
DT_INLINE dt_u64 find(dt_u64 text, dt_u64 needle, dt_u64 sizes, struct search *s)
{
	struct find f = {(const dt_u8 *)text, (const dt_u8 *)needle, (dt_u32)sizes, sizes >> 32, s};

	s->length = s->wanted = s->hash = s->at = 0;
	s->power = 1;
	s->found = DT_NOWHERE;
	DT_LOOP(f.needle_size, f.needle_size, hash_needle, &f);
	if (s->length) {
		DT_LOOP(f.text_size, f.text_size, scan, &f);
		return s->found;
	}
	DT_LOOP(f.text_size, f.text_size, measure, &f); /* measures the text's length, because an empty needle matches
	                                               at every position */
	if (s->low > s->at)
		return DT_NOWHERE;
	return !s->last ? s->low : s->high < s->at ? s->high : s->at;
}

/* Returns the first position >= start at which the needle occurs, or -1. work: a struct search (80 bytes) in a map
 * value. */
DT_HIDDEN dt_s64 dt_index(dt_u64 text, dt_u64 needle, dt_u64 sizes, dt_s64 start, dt_u64 work)
{
	struct search *s = (struct search *)work;

	s->low = start < 0 ? 0 : start;
	s->high = DT_NOWHERE;
	s->last = 0;
	return (dt_s64)DT_UNKNOWN(find(text, needle, sizes, s));
}

/* Returns the last position <= start at which the needle occurs, or -1. */
DT_HIDDEN dt_s64 dt_rindex(dt_u64 text, dt_u64 needle, dt_u64 sizes, dt_s64 start, dt_u64 work)
{
	struct search *s = (struct search *)work;

	s->low = start < 0 ? DT_NOWHERE : 0;
	s->high = start;
	s->last = 1;
	return (dt_s64)DT_UNKNOWN(find(text, needle, sizes, s));
}

/* Finds the first match in `text`, a text as long as `whole`. Returns the address of the same position in `whole`, or 0
 * if there is no match. */
DT_INLINE dt_u64 first_match(dt_u64 whole, dt_u64 text, dt_u64 needle, dt_u64 sizes, dt_u64 work)
{
	struct search *s = (struct search *)work;
	dt_u64 at;

	s->low = s->last = 0;
	s->high = DT_NOWHERE;
	at = find(text, needle, sizes, s);
	if (at >= (dt_u32)sizes)
		return 0;
	DT_OPAQUE(at);
	return whole + at;
}

DT_HIDDEN dt_u64 dt_strstr(dt_u64 text, dt_u64 needle, dt_u64 sizes, dt_u64 work)
{
	return first_match(text, text, needle, sizes, work);
}

/* Implements strcasestr(). `text` is a copy of `whole` in lower case; `needle` is in lower case too. */
DT_HIDDEN dt_u64 dt_strcasestr(dt_u64 whole, dt_u64 text, dt_u64 needle, dt_u64 sizes, dt_u64 work)
{
	return first_match(whole, text, needle, sizes, work);
}
