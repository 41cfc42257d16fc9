/* Digests of keys that are longer than the kernel's hash maps accept (MAX_BPF_STACK, before Linux 5.11).
 *
 * Two independent lanes of 64 bits give a digest of 128 bits. Two different keys have equal digests with a probability
 * of about 2^-128, so a billion keys have a collision with a probability of 2^-69. Maps therefore do not compare the
 * keys themselves. The digest does not resist a program that constructs keys with equal digests. */
#include "bpf-runtime/runtime.h"

#define LOW_FACTOR 0x9e3779b97f4a7c15ULL
#define HIGH_FACTOR 0xc2b2ae3d27d4eb4fULL

struct digesting_key {
	const dt_u64 *words;
	dt_u64 count, low, high;
};

static long digest_key_word(dt_u32 i, struct digesting_key *d)
{
	dt_u64 word, low, high;

	if (i >= d->count)
		return 1;
	word = d->words[i];
	low = (d->low ^ word) * LOW_FACTOR;
	high = (d->high ^ word) * HIGH_FACTOR;
	d->low = low ^ low >> 32;
	d->high = high ^ high >> 29;
	return 0;
}

/* Stores the digest of a key of `count` words, which is known to the verifier, in digest[0] and digest[1]. */
DT_HIDDEN dt_u64 dt_key_digest(const dt_u64 *words, dt_u64 count, dt_u64 *digest)
{
	struct digesting_key d = {words, count, DT_UNKNOWN(1), DT_UNKNOWN(2)};

	DT_LOOP(count, count, digest_key_word, &d, &d.low, &d.high);
	digest[0] = d.low;
	digest[1] = d.high;
	return 0;
}
