/* The bucket of hquantize(): dtrace-aggregations(7), hquantize. Bounds are powers of 2^(2^-schema), which are not
 * integers. So the magnitude is shifted to the top of 64 bits and compared with the bounds of the finest schema. Two
 * neighboring buckets of a schema form one bucket of the next coarser schema, so a shift of the result gives the
 * bucket of any schema. */
#include "bpf-runtime/runtime.h"

/* Indices are constants, so each bound becomes an immediate operand and no table is needed. */
#define DT_ONE_BOUND(n, bound) bound,
static const dt_u64 dt_hquantize_bound[] = {0, DT_HQUANTIZE_BOUNDS(DT_ONE_BOUND)};

/* DT_AFTER_k(n): number of bounds in an octave that are below the magnitude m. The first n bounds are known to be
 * below m; the next k are compared with m. */
#define DT_AFTER_1(n) (m > dt_hquantize_bound[(n) + 1] ? (n) + 1 : (n))
#define DT_AFTER_3(n) (m > dt_hquantize_bound[(n) + 2] ? DT_AFTER_1((n) + 2) : DT_AFTER_1(n))
#define DT_AFTER_7(n) (m > dt_hquantize_bound[(n) + 4] ? DT_AFTER_3((n) + 4) : DT_AFTER_3(n))
#define DT_AFTER_15(n) (m > dt_hquantize_bound[(n) + 8] ? DT_AFTER_7((n) + 8) : DT_AFTER_7(n))
#define DT_AFTER_31(n) (m > dt_hquantize_bound[(n) + 16] ? DT_AFTER_15((n) + 16) : DT_AFTER_15(n))

DT_EXPORT dt_u64 dt_hquantize_bucket(dt_s64 v, dt_u64 schema)
{
	dt_u64 sign = (dt_u64)(v >> 63);
	dt_u64 m = ((dt_u64)v ^ sign) - sign; /* INT64_MIN becomes 2^63, which is correct as an unsigned number */
	dt_u64 zero = DT_HQUANTIZE_SIDE(0) - 1, octave = 63, part, n;
	int shift;

	zero = (zero << schema) + 1;
	if (m == 0)
		return zero;
	for (shift = 32; shift > 0; shift /= 2)
		if (m >> (64 - shift) == 0) {
			m <<= shift;
			octave -= shift;
		}
	part = m == 1ULL << 63 ? 0 : 1 + DT_AFTER_31(0); /* number of bounds below the magnitude m, including the bound
	                                             at the start of the octave */
	/* n is the bucket index of OpenTelemetry's exponential histogram, plus 1. It is 0 for v = 1. */
	n = octave * 32 + part;
	n = n == 0 ? 1 : ((n - 1) >> (5 - schema)) + 2;
	return sign ? zero - n : zero + n;
}
