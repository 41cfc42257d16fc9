/* The high 64 bits of v * v: stddev() sums squares of 128 bits, and BPF multiplies into 64. */
#include "bpf-runtime/runtime.h"

DT_EXPORT dt_u64 dt_square_high(dt_s64 v)
{
	dt_u64 sign = (dt_u64)(v >> 63);
	dt_u64 a = ((dt_u64)v ^ sign) - sign;
	dt_u64 high = a >> 32, low = a & 0xffffffffULL;
	dt_u64 cross = high * low; /* counted twice; below 2^64 */
	dt_u64 carry = (low * low >> 32) + (cross & 0xffffffffULL) * 2;

	return high * high + (cross >> 32) * 2 + (carry >> 32);
}
