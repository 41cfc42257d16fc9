/* 128-bit squares for stddev(); BPF multiplies only to 64 bits. */
#include "bpf-runtime/runtime.h"

/* Returns the high 64 bits of v * v. */
DT_EXPORT dt_u64 dt_square_high(dt_s64 v)
{
	dt_u64 sign = (dt_u64)(v >> 63);
	dt_u64 a = ((dt_u64)v ^ sign) - sign;
	dt_u64 high = a >> 32, low = a & 0xffffffffULL;
	dt_u64 cross = high * low; /* the cross product occurs twice in the square; one of them is below 2^64 */
	dt_u64 carry = (low * low >> 32) + (cross & 0xffffffffULL) * 2;

	return high * high + (cross >> 32) * 2 + (carry >> 32);
}

/* Computes the 96-bit product of a and weight. Returns its high 32 bits and stores its low 64 bits in *low. */
DT_INLINE dt_u64 weighed(dt_u64 a, dt_u32 weight, dt_u64 *low)
{
	dt_u64 below = (a & 0xffffffffULL) * weight;
	dt_u64 above = (a >> 32) * weight + (below >> 32);

	*low = above << 32 | (below & 0xffffffffULL);
	return above >> 32;
}

/* Adds to a word of memory and returns its previous value. In the variant for kernels without fetching atomics, the
 * caller must keep other programs from adding at the same time. */
#ifdef DT_PLAIN_KERNEL
DT_INLINE dt_u64 fetch_and_add(dt_u64 *word, dt_u64 value)
{
	dt_u64 old = *word;

	*word = old + value;
	return old;
}
#else
#define fetch_and_add(word, value) __sync_fetch_and_add(word, value)
#endif

/* Adds the square of v, weighted by the firing's weight (-x maxcost), to the three words of the sum of squares.
 * Other programs may add to these words between any two instructions. */
DT_HIDDEN dt_u64 dt_add_squares(dt_u64 *words, dt_s64 v, dt_u64 weight)
{
	dt_u64 low, middle, high, carry;

	carry = weighed((dt_u64)v * (dt_u64)v, (dt_u32)weight, &low);
	high = weighed(dt_square_high(v), (dt_u32)weight, &middle);
	middle += carry;
	high += middle < carry;
	carry = fetch_and_add(&words[0], low) + low < low;
	middle += carry;
	high += middle < carry;
	high += fetch_and_add(&words[1], middle) + middle < middle;
	__sync_fetch_and_add(&words[2], high);
	return 0;
}
