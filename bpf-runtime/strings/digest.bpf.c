/* Hashes text, because keys of requests may be strings. The hash ignores trailing zeros, so it is independent of the
 * buffer's size. */
#include "bpf-runtime/accounting/account.h"
#include "bpf-runtime/runtime.h"

#define FACTOR 0x9e3779b97f4a7c15ULL

struct digesting {
	const dt_u64 *words;
	dt_u64 most, digest;
};

static long digest_word(dt_u32 i, struct digesting *d)
{
	dt_u64 word, digest;

	if (i >= d->most)
		return 1;
	word = d->words[i];
	if (!word)
		return 1;
	digest = (d->digest ^ word) * FACTOR;
	d->digest = digest ^ digest >> 32;
	return 0;
}

DT_HIDDEN dt_u64 dt_digest(const dt_u64 *words, dt_u64 most)
{
	struct digesting d = {words, most, DT_UNKNOWN(DT_DIGEST_OF_NOTHING)};

	DT_LOOP(most, most, digest_word, &d, &d.digest);
	return DT_UNKNOWN(d.digest);
}
