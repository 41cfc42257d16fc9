/* Computes the bucket index of a value for llquantize() (dtrace-aggregations(7), llquantize). All parameters are
 * constants of the script, checked by the compiler: factor^(high + 1) fits into 64 bits, so high is at most 63 and the
 * loop is bounded. */
#include "bpf-runtime/runtime.h"

DT_EXPORT dt_u64 dt_llquantize_bucket(dt_s64 v, dt_u64 factor, dt_u64 low, dt_u64 high, dt_u64 steps)
{
	dt_u64 sign = (dt_u64)(v >> 63);
	dt_u64 a = ((dt_u64)v ^ sign) - sign; /* INT64_MIN becomes 2^63, which is correct as an unsigned number */
	dt_u64 skipped = steps / factor;      /* number of a magnitude's steps below the start of the magnitude; they
                                          belong to the next lower magnitude */
	dt_u64 per = steps - skipped;
	dt_u64 under = 1 + (high - low + 1) * per;
	dt_u64 limit = 1, offset = (high - low + 1) * per + 1;
	int m;

	for (m = 0; m < 64; m++) {
		if ((dt_u64)m == low && a < limit)
			return under;
		if ((dt_u64)m > high)
			break;
		limit *= factor; /* limit is now factor^(m + 1) */
		if ((dt_u64)m >= low && a < limit) {
			dt_u64 index = m == 0 ? a * steps / factor : a / (limit / steps ? limit / steps : 1);

			offset = ((dt_u64)m - low) * per + index - skipped + 1;
			break;
		}
	}
	return sign ? under - offset : under + offset;
}
