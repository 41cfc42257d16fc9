/* tolower() and toupper(): ASCII letters, eight at a time. */
#include "bpf-runtime/runtime.h"

#define EACH(byte) (0x0101010101010101ULL * (byte))

struct letters {
	dt_u64 *words;
	dt_u64 count, first;
};

static long step(dt_u32 i, struct letters *l)
{
	dt_u64 word, low, after_z, from_a;

	if (i >= l->count)
		return 1;
	word = l->words[i];
	low = word & EACH(0x7f); /* without the highest bit of each byte, sums do not carry into the next byte */
	from_a = low + EACH(0x80) - EACH(1) * l->first;
	after_z = low + EACH(0x80 - 26) - EACH(1) * l->first;
	/* 0x80 marks every byte that is an ASCII letter of the wrong case. The bit that distinguishes the cases is
	 * 0x20, a quarter of 0x80. */
	word ^= ((from_a & ~after_z & ~word & EACH(0x80)) >> 2);
	l->words[i] = word;
	return 0;
}

/* Copies src to dst, which has room for `size` bytes rounded up to a multiple of 8. Changes the case of the 26 letters
 * from `first` ('a' or 'A') on. */
DT_HIDDEN dt_u64 dt_case(dt_u64 dst, dt_u64 size, dt_u64 src, dt_u64 first)
{
	struct letters l = {(dt_u64 *)dst, (size + 7) / 8, first};
#ifdef DT_LOCKED
	dt_u64 length = dt_own_bytes((void *)dst, size, size, (const void *)src, 0, size, 1);
#else
	dt_u64 length = bpf_probe_read_kernel_str((void *)dst, size, (const void *)src);
#endif

	DT_LOOP(l.count, (length + 7) / 8, step, &l);
	return 0;
}
