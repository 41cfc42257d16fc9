/* Selects the next firing to sample (-x maxcost). The distance to it is random, with the tracer's value as mean, so
 * that it does not resonate with rhythms of the traced system. */
#include "bpf-runtime/runtime.h"

DT_HIDDEN dt_u64 dt_sample_next(struct dt_sampling *sampling)
{
	dt_u64 period = sampling->period;

	if (period > DT_SAMPLING_MAX_PERIOD)
		period = DT_SAMPLING_MAX_PERIOD;
	if (period < 1)
		period = 1;
	sampling->next_sampled = sampling->seen + 1 + bpf_get_prandom_u32() % (2 * period - 1);
	return 0;
}
