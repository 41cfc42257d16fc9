/* speculation(): the lowest free id. Hidden: the kernel verifies it with the caller's knowledge of how many there are. */
#include "bpf-runtime/runtime.h"

static long (*loop)(dt_u32 count, void *callback, void *context, dt_u64 flags) = (void *)181; /* bpf_loop */

struct search {
	struct dt_spec *specs;
	dt_u64 count;
	dt_s64 found;
};

static long try_one(dt_u32 i, struct search *s)
{
	struct dt_spec *spec;

	if (i >= s->count)
		return 1;
	spec = &s->specs[i];
	if (__sync_val_compare_and_swap(&spec->state, DT_SPEC_INACTIVE, DT_SPEC_ACTIVE) == DT_SPEC_INACTIVE) {
		spec->bytes = 0;
		s->found = (dt_s64)i + 1;
		return 1;
	}
	if (spec->state == DT_SPEC_DRAINING)
		s->found = -1;
	return 0;
}

__attribute__((visibility("hidden"))) DT_EXPORT dt_s64 dt_speculation(struct dt_spec *specs, dt_u64 count)
{
	struct search s = {specs, count, 0};

	loop(count, try_one, &s, 0);
	return s.found;
}
