/* Selects the next firing to sample (-x maxcost). The distance is random with the tracer's value as its mean, so that
 * it does not resonate with rhythms of the traced system. */
#include "bpf-runtime/runtime.h"

DT_HIDDEN dt_u64 dt_sample_next(struct dt_sampling *sampling)
{
	dt_u64 every = sampling->every;

	if (every > DT_SAMPLING_MOST)
		every = DT_SAMPLING_MOST;
	if (every < 1)
		every = 1;
	sampling->take = sampling->seen + 1 + bpf_get_prandom_u32() % (2 * every - 1);
	return 0;
}
