/* speculation(): takes the lowest free id and gives it a new serial number. The function is hidden (static for the
 * verifier), so that the verifier knows the number of ids that the caller passes. */
#include "bpf-runtime/runtime.h"

struct search {
	struct dt_spec *specs;
	dt_u64 count;
	dt_u64 serial;
	dt_u64 found;
};

#ifdef DT_PLAIN_KERNEL

/* A map that serves as a lock on kernels without fetching atomics. A program owns the ids while this map has an
 * element, which only one program on all CPUs can create. Another program tries MOST_TRIES times to create the element.
 * If it fails, speculation() returns no id, and the caller counts a loss. All attempts fail if the program has
 * interrupted the owner on the same CPU. */
struct {
	MAP(type, 1); /* BPF_MAP_TYPE_HASH */
	MAP(max_entries, 1);
	dt_u32 *key, *value;
} spec_owner __attribute__((section(".maps"), used));

static long (*const bpf_map_delete_elem)(void *map, const void *key) = (void *)3;

#define NEW_ONLY 1
#define MOST_TRIES 32

DT_INLINE dt_u64 own_ids(void)
{
	const dt_u32 zero = 0;
	dt_u64 owns = 0;

#pragma clang loop unroll(disable)
	for (int i = 0; i < MOST_TRIES; i++)
		if (bpf_map_update_elem(&spec_owner, &zero, &zero, NEW_ONLY) == 0) {
			owns = 1;
			break;
		}
	return DT_UNKNOWN(owns);
}

DT_INLINE void disown_ids(void)
{
	const dt_u32 zero = 0;

	bpf_map_delete_elem(&spec_owner, &zero);
}

DT_INLINE dt_u64 next_serial(struct dt_spec *specs)
{
	specs->serial = (dt_u32)(specs->serial + 1);
	return specs->serial;
}

static int take(struct dt_spec *spec, dt_u64 serial)
{
	if (*(volatile dt_u64 *)&spec->serial != 0)
		return 0;
	spec->bytes = 0;
	spec->time = 0;
	*(volatile dt_u64 *)&spec->serial = serial;
	return 1;
}

#else

DT_INLINE dt_u64 own_ids(void)
{
	return 1;
}

DT_INLINE void disown_ids(void)
{
}

DT_INLINE dt_u64 next_serial(struct dt_spec *specs)
{
	return (dt_u32)(__sync_fetch_and_add(&specs->serial, 1) + 1);
}

static int take(struct dt_spec *spec, dt_u64 serial)
{
	if (spec->serial != 0 || __sync_val_compare_and_swap(&spec->serial, 0, serial) != 0)
		return 0;
	spec->bytes = 0;
	spec->time = 0;
	return 1;
}

#endif

static long try_one(dt_u32 i, struct search *s)
{
	if (i >= s->count)
		return 1;
	if (!take(&s->specs[i], s->serial))
		return 0;
	s->found = (dt_u64)i + 1;
	return 1;
}

/* Returns the id, or 0 if none is free. `specs` has count + 1 elements. If all ids are in use, returns at once, because
 * searching would slow down every firing of a program that never ends its speculations. The first id is tried before
 * the loop, because bpf_loop() costs a kernel call. This id is usually free, and by default it is the only one.
 */
DT_HIDDEN dt_u64 dt_speculation(struct dt_spec *specs, dt_u64 count)
{
	struct search s = {specs + 1, count, 0, 0};
	const int several = count > 1;

	if (several ? *(volatile dt_u64 *)&specs->bytes >= count : *(volatile dt_u64 *)&specs[1].serial != 0)
		return 0;
	if (!own_ids())
		return 0;
	s.serial = next_serial(specs);
	if (s.serial == 0) /* serial numbers wrap around after 2^32; 0 means no speculation */
		s.serial = next_serial(specs);
	if (take(specs + 1, s.serial))
		s.found = 1;
	else if (several)
		DT_LOOP(count, count, try_one, &s, &s.found);
	disown_ids();
	if (s.found && several)
		__sync_fetch_and_add(&specs->bytes, 1);
	return s.found;
}
