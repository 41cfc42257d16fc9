/* What is asked of a thread's account, by marks (account.bpf.c) and by requests (request.bpf.c). */
#ifndef DT_ACCOUNTING_H
#define DT_ACCOUNTING_H

#include "bpf-runtime/account.h"
#include "bpf-runtime/runtime.h"

/* What the hypervisor took since the last look is of the part that lasts, as far as that lasts long enough; the rest
 * is of the next. The kernel learns of it at ticks and switches. */
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

/* Fills in `read` as of `now`, when the firing began, or where the thread was off its CPU since, as of now: this is
 * returned. What interrupts took since the firing began may lack in the part that lasts. */
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
