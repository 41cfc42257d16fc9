/* speculation(): takes the lowest free id and gives it a new serial number. The function is hidden (static for the
 * verifier), so that the verifier knows the number of ids that the caller passes. */
#include "bpf-runtime/runtime.h"

struct search {
	struct dt_spec *specs;
	dt_u64 count;
	dt_u64 serial;
	dt_u64 found;
};

static int take(struct dt_spec *spec, dt_u64 serial)
{
	if (spec->serial != 0 || __sync_val_compare_and_swap(&spec->serial, 0, serial) != 0)
		return 0;
	spec->bytes = 0;
	spec->time = 0;
	return 1;
}

static long try_one(dt_u32 i, struct search *s)
{
	if (i >= s->count)
		return 1;
	if (!take(&s->specs[i], s->serial))
		return 0;
	s->found = (dt_u64)i + 1;
	return 1;
}

/* Returns the id, or 0 if none is free. `specs` has count + 1 elements. If all ids are in use, none is examined,
 * because otherwise a program that never ends its speculations would slow down every firing. The first id is tried
 * before the loop, because bpf_loop() costs a kernel call. This id is usually free, and by default it is the only one.
 */
DT_HIDDEN dt_u64 dt_speculation(struct dt_spec *specs, dt_u64 count)
{
	struct search s = {specs + 1, count, 0, 0};
	const int several = count > 1;

	if (several ? *(volatile dt_u64 *)&specs->bytes >= count : *(volatile dt_u64 *)&specs[1].serial != 0)
		return 0;
	s.serial = (dt_u32)(__sync_fetch_and_add(&specs->serial, 1) + 1);
	if (s.serial == 0) /* serial numbers wrap around after 2^32; 0 means no speculation */
		s.serial = (dt_u32)(__sync_fetch_and_add(&specs->serial, 1) + 1);
	if (take(specs + 1, s.serial))
		s.found = 1;
	else if (several)
		bpf_loop(count, try_one, &s, 0);
	if (s.found && several)
		__sync_fetch_and_add(&specs->bytes, 1);
	return s.found;
}
