/* Accounting of thread times. Programs of dcompiler/lower/clause/thread_time.cpp update a thread's time account at
 * switches, wakeups, system calls and interrupts; mark() and breakdown() read the time account.
 *
 * At any time, a thread's time belongs to one part, which began at `since`. Each event ends the current part, adds its
 * time to the totals, and begins the next part at the same moment. So the parts of an interval always add up to its
 * length, even if events were missed. The programs that update an account run at switches, at wakeups of threads that
 * are not running, and in tracepoints, where they are not preempted. Only interrupts and clauses can interrupt them. An
 * interrupt only moves time from the current part to DT_PART_INTERRUPT. A clause at a user probe may be preempted while
 * it reads the account; then it reads the account again. */
#include "bpf-runtime/accounting/accounting.h"
#include "bpf-runtime/accounting/waiting.h"
#include "bpf-runtime/runtime.h"

DT_INLINE void resume(volatile struct dt_account *a, dt_u64 part, dt_u64 now)
{
	__sync_fetch_and_add(&a->totals[a->part & (DT_PART_SLOTS - 1)], now - a->since);
	a->since = now;
	a->part = part;
	a->changes++;
}

/* Like resume(), but for a task switch, which cannot be interrupted. */
DT_INLINE void resume_alone(volatile struct dt_account *a, dt_u64 part, dt_u64 now)
{
	a->totals[a->part & (DT_PART_SLOTS - 1)] += now - a->since;
	a->since = now;
	a->part = part;
	a->changes++;
}

/* Returns the part of time (DT_PART_…) that a thread on a CPU spends now. */
DT_INLINE dt_u64 running(const volatile struct dt_account *a)
{
	if (a->reclaims)
		return DT_PART_RECLAIM;
	if (a->lock)
		return DT_PART_LOCK;
	return a->in_call ? DT_PART_KERNEL : DT_PART_USER;
}

/* ---- throttling by quotas ---- */

/* Returns the total time for which control group quotas have throttled a fair run queue. */
DT_INLINE dt_u64 throttled_so_far(dt_u64 queue, const volatile struct dt_waits *w)
{
	dt_u64 time = number_at(queue + w->throttle_time, 8), began;

	if (!number_at(queue + w->throttle_count, 4))
		return time;
	began = number_at(queue + w->throttle_began, 8);
	return began ? time + number_at(number_at(queue + w->rq, 8) + w->clock, 8) - began : time;
}

/* Called when the thread begins to wait for a CPU. Kernels since 6.18 throttle a thread only at its return to user mode
 * and report it; older kernels throttle all threads of a run queue. */
DT_INLINE void may_be_throttled(volatile struct dt_account *a, dt_u64 task, const volatile struct dt_waits *w)
{
	a->throttle = 0;
	if (!w->throttle_count || (w->reports_throttling && !a->is_throttled))
		return;
	a->throttle = number_at(task + w->cfs_rq, 8);
	a->throttled = throttled_so_far(a->throttle, w);
}

/* Called when a wait for a CPU ends. Moves the throttled time of this wait to a separate part of time. A thread that
 * has moved to another CPU during its wait was not throttled there. */
DT_INLINE void take_throttled(volatile struct dt_account *a, dt_u64 now, dt_u64 task, const volatile struct dt_waits *w)
{
	dt_u64 time, waited = now - a->since;

	if (!a->throttle || number_at(task + w->cfs_rq, 8) != a->throttle)
		return;
	time = throttled_so_far(a->throttle, w) - a->throttled;
	if ((dt_s64)time <= 0)
		return;
	if (time > waited)
		time = waited;
	__sync_fetch_and_add(&a->totals[DT_PART_THROTTLED], time);
	__sync_fetch_and_add(&a->totals[DT_PART_RUNQ], -time);
}

/* ---- events of a thread ---- */

/* Called when the thread leaves its CPU; if `state` is 0, the thread is still runnable. */
DT_HIDDEN dt_u64 dt_account_off(volatile struct dt_account *a, dt_u64 now, dt_u64 state, dt_u64 task,
                                const volatile struct dt_waits *w)
{
	dt_u64 part = DT_PART_RUNQ;

	take_stolen(a, now);
	a->pending_steal = a->steal - a->stolen;
	a->throttle = 0;
	if (state)
		part = waiting((struct waiter){state, a->reclaims, a->lock, !!a->in_call}, task, w);
	else
		may_be_throttled(a, task, w);
	a->woken = 0;
	a->nesting = 0; /* forgets interrupts whose end was not seen */
	resume_alone(a, part, now);
	return 0;
}

/* Called when the thread gets a CPU. */
DT_HIDDEN dt_u64 dt_account_on(volatile struct dt_account *a, dt_u64 now, dt_u64 task, const volatile struct dt_waits *w)
{
	dt_u64 woken = a->woken;

	if (a->part != DT_PART_RUNQ && woken >= a->since && woken < now) {
		a->waited = woken - a->since;
		resume_alone(a, DT_PART_RUNQ, woken);
	}
	if (a->part == DT_PART_RUNQ)
		take_throttled(a, now, task, w);
	a->stolen = a->steal - a->pending_steal;
	resume_alone(a, running(a), now);
	return 0;
}

/* Called when the thread is woken; it will run when it gets a CPU. */
DT_HIDDEN dt_u64 dt_account_woken(volatile struct dt_account *a, dt_u64 now, dt_u64 task,
                                  const volatile struct dt_waits *w)
{
	if (a->woken || a->part == DT_PART_RUNQ)
		return 0;
	a->woken = now;
	a->is_throttled = 0;
	may_be_throttled(a, task, w);
	return 0;
}

/* Called when the thread enters or leaves a system call; updates the thread's part of time. */
DT_HIDDEN dt_u64 dt_account_call(volatile struct dt_account *a, dt_u64 now, dt_u64 in_call)
{
	take_stolen(a, now);
	a->in_call = in_call;
	resume(a, running(a), now);
	return 0;
}

/* Called when the thread begins to wait for a lock. */
DT_HIDDEN dt_u64 dt_account_lock(volatile struct dt_account *a, dt_u64 now, dt_u64 lock, dt_u64 flags)
{
	if ((flags & SPIN) && !(flags & MUTEX))
		return 0; /* the event is ignored, because it may come from an interrupt */
	a->lock = lock;
	a->lock_kind = flags;
	resume(a, running(a), now);
	return 0;
}

DT_HIDDEN dt_u64 dt_account_unlock(volatile struct dt_account *a, dt_u64 now, dt_u64 lock)
{
	if (a->lock != lock)
		return 0;
	a->lock = 0;
	resume(a, running(a), now);
	return 0;
}

DT_HIDDEN dt_u64 dt_account_reclaim(volatile struct dt_account *a, dt_u64 now, dt_u64 reclaims)
{
	a->reclaims = reclaims;
	resume(a, running(a), now);
	return 0;
}

/* Called when an interrupt begins or ends during the thread's time. */
DT_HIDDEN dt_u64 dt_account_interrupt(volatile struct dt_account *a, dt_u64 now, dt_u64 begins)
{
	dt_u64 nesting = a->nesting, time;

	if (begins) {
		if (!nesting)
			a->interrupt = now;
		a->nesting = nesting + 1;
		return 0;
	}
	if (!nesting)
		return 0; /* the event is ignored, because the interrupt began before the thread's time account */
	a->nesting = nesting - 1;
	if (nesting > 1)
		return 0;
	time = now - a->interrupt;
	__sync_fetch_and_add(&a->totals[DT_PART_INTERRUPT], time);
	__sync_fetch_and_add(&a->totals[a->part & (DT_PART_SLOTS - 1)], -time);
	a->changes++;
	return 0;
}

/* ---- functions that clauses call ---- */

DT_INLINE void begin_if_new(volatile struct dt_account *a, dt_u64 now, dt_u64 call)
{
	if (a->since)
		return take_stolen(a, now);
	a->stolen = a->steal;
	a->in_call = (int)call >= 0;
	a->part = running(a);
	a->since = now;
}

/* Begins the thread's time account, so that `waker` and `waited` have values from now on. */
DT_HIDDEN dt_u64 dt_account_begin(volatile struct dt_account *a, dt_u64 now, dt_u64 call)
{
	begin_if_new(a, now, call);
	return 0;
}

/* Returns the time of one part (such as DT_PART_USER) since the time account began, for cpu_user and similar
 * variables. */
DT_HIDDEN dt_u64 dt_part_time(volatile struct dt_account *a, dt_u64 now, dt_u64 call, dt_u64 part)
{
	begin_if_new(a, now, call);
	look(a, now);
	return DT_UNKNOWN(a->read[part & (DT_PART_SLOTS - 1)]);
}

/* mark(): stores the totals of the time account and returns the time, by which breakdown() finds the mark. */
DT_HIDDEN dt_u64 dt_mark(volatile struct dt_account *a, dt_u64 now, dt_u64 call)
{
	dt_u64 slot;

	begin_if_new(a, now, call);
	now = look(a, now);
	slot = a->next & (DT_MARKS - 1);
	a->next = slot + 1;
	for (int i = 0; i < DT_PARTS; i++)
		a->marks[slot].totals[i] = a->read[i];
	a->marks[slot].time = now;
	return DT_UNKNOWN(now);
}

/* Returns the index plus 1 of a mark, a start point that mark() has stored; 0 if the thread does not have this mark. */
DT_HIDDEN dt_u64 dt_mark_number(volatile struct dt_account *a, dt_u64 mark, dt_u64 now)
{
	dt_u64 found = 0;

	take_stolen(a, now);

	for (int i = 0; i < DT_MARKS; i++)
		if (a->marks[i].time == mark)
			found = i + 1;
	return DT_UNKNOWN(mark ? found : 0);
}

/* breakdown(): adds the parts of the time since a mark to the words of an aggregation, each multiplied by `times`. */
DT_HIDDEN dt_u64 dt_breakdown(volatile struct dt_account *a, dt_u64 number, dt_u64 now, dt_u64 *words, dt_u64 times)
{
	dt_s64 time, lacks = 0;

	number = (number - 1) & (DT_MARKS - 1);
	look(a, now);
	for (int i = 0; i < DT_PARTS; i++) {
		if (i == DT_PART_QUEUED)
			continue;
		time = a->read[i] - a->marks[number].totals[i];
		if (time < 0)
			lacks += time;
		else
			__sync_fetch_and_add(&words[i], time * times);
	}
	if (lacks)
		__sync_fetch_and_add(&words[DT_PART_INTERRUPT], lacks * times);
	return 0;
}
