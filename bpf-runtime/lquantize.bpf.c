/* The bucket of lquantize(): runtime reference 4.3. 0 below base, levels + 1 at and beyond base + levels * step. */
#include "bpf-runtime/runtime.h"

DT_EXPORT dt_u64 dt_lquantize_bucket(dt_s64 v, dt_s64 base, dt_u64 levels, dt_u64 step)
{
	dt_u64 level;

	if (v < base)
		return 0;
	level = ((dt_u64)v - (dt_u64)base) / step; /* v - base may exceed 63 bits, not 64 */
	return (level < levels ? level : levels) + 1;
}
