/* Functions on a thread's time account, shared by account.bpf.c (for marks, the start points of intervals) and
 * request.bpf.c (for requests). */
#ifndef DT_ACCOUNTING_H
#define DT_ACCOUNTING_H

#include "bpf-runtime/accounting/account.h"
#include "bpf-runtime/runtime.h"

/* Moves new steal time out of the current part, up to the length of that part; any remainder is taken out of the
 * next part. The kernel updates steal time at ticks and switches. */
DT_INLINE void take_stolen(volatile struct dt_account *a, dt_u64 now)
{
	dt_u64 time = a->steal - a->stolen, lasted = now - a->since;

	if ((dt_s64)time <= 0 || (dt_s64)lasted <= 0)
		return;
	if (time > lasted)
		time = lasted;
	a->stolen += time;
	__sync_fetch_and_add(&a->totals[DT_PART_STOLEN], time);
	__sync_fetch_and_add(&a->totals[a->part & (DT_PART_SLOTS - 1)], -time);
	a->changes++;
}

/* Fills `read` with the totals of the time account at the time `now`, the start of the firing. If the thread has
 * left the CPU since then, fills it with the present totals instead. Returns the time for which `read` is valid.
 * Interrupts since the start of the firing may still be included in the current part. */
DT_INLINE dt_u64 look(volatile struct dt_account *a, dt_u64 now)
{
	dt_u64 changes, part, since;

	for (int tries = 0; tries < 3; tries++) {
		changes = a->changes;
		if (a->since > now)
			now = bpf_ktime_get_ns();
		for (int i = 0; i < DT_PARTS; i++)
			a->read[i] = a->totals[i];
		part = a->part;
		since = a->since;
		a->read[part & (DT_PART_SLOTS - 1)] += now - since;
		if (changes == a->changes)
			break;
	}
	return now;
}

#endif
