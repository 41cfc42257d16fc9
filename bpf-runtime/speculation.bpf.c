/* speculation(): the lowest free id, which gets a new serial number. Hidden: the kernel verifies it with the caller's
 * knowledge of how many there are. */
#include "bpf-runtime/runtime.h"

struct search {
	struct dt_spec *specs;
	dt_u64 count;
	dt_u64 serial;
	dt_u64 found;
};

static long try_one(dt_u32 i, struct search *s)
{
	struct dt_spec *spec;

	if (i >= s->count)
		return 1;
	spec = &s->specs[i];
	if (spec->serial == 0 && __sync_val_compare_and_swap(&spec->serial, 0, s->serial) == 0) {
		spec->bytes = 0;
		s->found = (dt_u64)i + 1;
		return 1;
	}
	return 0;
}

/* `specs` has count + 1 elements. Where all are taken nobody looks at each of them: a program that gives none back would
 * make every firing pay for that. */
DT_HIDDEN dt_u64 dt_speculation(struct dt_spec *specs, dt_u64 count)
{
	struct search s = {specs + 1, count, 0, 0};

	if (*(volatile dt_u64 *)&specs->bytes >= count)
		return 0;
	s.serial = __sync_fetch_and_add(&specs->serial, 1) % 0xffffffff + 1;
	bpf_loop(count, try_one, &s, 0);
	if (s.found)
		__sync_fetch_and_add(&specs->bytes, 1);
	return s.found;
}
