/* Digests of keys that are longer than the kernel's hash maps accept (MAX_BPF_STACK, before Linux 5.11).
 *
 * Two independent hashes of 64 bits give a digest of 128 bits. Two different keys have equal digests with a probability
 * of about 2^-128, and the probability that any two of a billion keys collide is 2^-69. Maps therefore store digests
 * and do not compare the keys themselves. A program that constructs its keys can make digests equal. */
#include "bpf-runtime/runtime.h"

#define LOW_FACTOR 0x9e3779b97f4a7c15ULL
#define HIGH_FACTOR 0xc2b2ae3d27d4eb4fULL

#define WORDS_AT_ONCE 4

struct lanes {
	dt_u64 low, high;
};

DT_INLINE void add_word(struct lanes *lanes, dt_u64 word)
{
	const dt_u64 low = (lanes->low ^ word) * LOW_FACTOR, high = (lanes->high ^ word) * HIGH_FACTOR;

	lanes->low = low ^ low >> 32;
	lanes->high = high ^ high >> 29;
}

/* Stores the digest of a key of `count` words in digest[0] and digest[1]. The verifier knows the value of `count`.
 *
 * Kernels that need the digest have no bpf_loop(), so their verifier follows each iteration. Handling several words in
 * each iteration takes fewer instructions. The only branches compare the index with `count`. The verifier knows both
 * numbers, so it follows a single path. */
DT_HIDDEN dt_u64 dt_key_digest(const dt_u64 *words, dt_u64 count, dt_u64 *digest)
{
	struct lanes lanes = {1, 2};
	dt_u64 i = 0;

#pragma clang loop unroll(disable)
	for (; i + WORDS_AT_ONCE <= count; i += WORDS_AT_ONCE) {
		DT_OPAQUE(i); /* keeps the compiler from comparing addresses, which the verifier does not know */
#pragma unroll
		for (dt_u64 next = 0; next < WORDS_AT_ONCE; next++)
			add_word(&lanes, words[i + next]);
	}
#pragma clang loop unroll(disable)
	for (; i < count; i++) {
		DT_OPAQUE(i);
		add_word(&lanes, words[i]);
	}
	digest[0] = lanes.low;
	digest[1] = lanes.high;
	return 0;
}
