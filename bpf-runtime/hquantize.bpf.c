/* The bucket of hquantize(): dtrace-aggregations(7), hquantize. Buckets are powers of 2^(2^-schema), which no integers
 * are: so the magnitude is moved to the top of 64 bits, and compared there with the bounds of the finest schema. Two
 * neighbours of a schema are a bucket of the one below, so the rest is a shift. */
#include "bpf-runtime/runtime.h"

/* Their indices are constants, so that each is part of an instruction and the table is nowhere. */
#define DT_ONE_BOUND(n, bound) bound,
static const dt_u64 dt_hquantize_bound[] = {0, DT_HQUANTIZE_BOUNDS(DT_ONE_BOUND)};

/* How many bounds of an octave are below m, where it is known that n are, and of the next as many as the name says. */
#define DT_AFTER_1(n) (m > dt_hquantize_bound[(n) + 1] ? (n) + 1 : (n))
#define DT_AFTER_3(n) (m > dt_hquantize_bound[(n) + 2] ? DT_AFTER_1((n) + 2) : DT_AFTER_1(n))
#define DT_AFTER_7(n) (m > dt_hquantize_bound[(n) + 4] ? DT_AFTER_3((n) + 4) : DT_AFTER_3(n))
#define DT_AFTER_15(n) (m > dt_hquantize_bound[(n) + 8] ? DT_AFTER_7((n) + 8) : DT_AFTER_7(n))
#define DT_AFTER_31(n) (m > dt_hquantize_bound[(n) + 16] ? DT_AFTER_15((n) + 16) : DT_AFTER_15(n))

DT_EXPORT dt_u64 dt_hquantize_bucket(dt_s64 v, dt_u64 schema)
{
	dt_u64 sign = (dt_u64)(v >> 63);
	dt_u64 m = ((dt_u64)v ^ sign) - sign; /* INT64_MIN: 2^63, right as unsigned */
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
	part = m == 1ULL << 63 ? 0 : 1 + DT_AFTER_31(0); /* bounds below m, that of the octave among them */
	/* The index that OpenTelemetry has, one too high: at least 0, of v = 1. */
	n = octave * 32 + part;
	n = n == 0 ? 1 : ((n - 1) >> (5 - schema)) + 2;
	return sign ? zero - n : zero + n;
}
