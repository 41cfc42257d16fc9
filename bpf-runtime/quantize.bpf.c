/* The bucket of quantize(): runtime reference 4.2. Bucket 63 is zero, 64 + k holds [2^k, 2^(k+1)), 62 - k its mirror image.
 *
 * The position of the highest bit is found without a branch: a hundred calls in a clause must not become 64^100 paths for the verifier. */
#include "bpf-runtime/runtime.h"

static inline dt_u64 exceeds(dt_u64 v, dt_u64 limit) /* v > limit, both below 2^63 */
{
	return (limit - v) >> 63;
}

DT_EXPORT dt_u64 dt_quantize_bucket(dt_s64 v)
{
	dt_u64 sign = (dt_u64)(v >> 63); /* 0 or all ones */
	dt_u64 a = ((dt_u64)v ^ sign) - sign;
	dt_u64 log = 0, step;

	if (v == 0)
		return DT_QUANTIZE_ZERO;
	if (a >> 63) /* INT64_MIN has no magnitude */
		return 0;
	step = exceeds(a, 0xffffffffULL) << 5, a >>= step, log += step;
	step = exceeds(a, 0xffff) << 4, a >>= step, log += step;
	step = exceeds(a, 0xff) << 3, a >>= step, log += step;
	step = exceeds(a, 0xf) << 2, a >>= step, log += step;
	step = exceeds(a, 0x3) << 1, a >>= step, log += step;
	log += exceeds(a, 0x1);
	return sign ? 62 - log : 64 + log;
}
