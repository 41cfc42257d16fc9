/* Requests: request_begin(), request_end(), request_done() and breakdown(request(key)).
 *
 * When a thread begins to work for a request, it stores the totals of its time account. When it stops, it adds the
 * difference to the request. So each nanosecond of a thread is added once, even if the time account has missed events.
 * One word holds the number of working threads and the time at which that number last changed. A thread that begins
 * adds the time since then: to the queue time if no thread was working, else to the work of all threads. A thread that
 * stops does not change the time in the word, but adds a correction, which cannot fail. So the sums are right for any
 * order of threads. */
#include "bpf-runtime/accounting/accounting.h"
#include "bpf-runtime/runtime.h"

#define NEW_ONLY 1
#define MOST_THREADS ((1ULL << (64 - DT_REQUEST_THREADS)) - 1)
#ifdef DT_PLAIN_KERNEL
#define MOST_TRIES 32
#else
#define MOST_TRIES 256 /* each failed attempt means that another thread's attempt succeeded */
#endif

#ifdef DT_PLAIN_KERNEL

/* Map that serves as a lock on kernels without fetching atomics. A program owns a request while this map has an
 * element with the request's address: only one program on all CPUs can create the element. */
struct {
	MAP(type, 1); /* BPF_MAP_TYPE_HASH */
	MAP(max_entries, 1024);
	dt_u64 *key;
	dt_u32 *value;
} request_owners __attribute__((section(".maps"), used));

static long (*const bpf_map_delete_elem)(void *map, const void *key) = (void *)3;

/* Becomes the owner of a request. Returns 0 if another program owns the request and does not release it within
 * MOST_TRIES attempts. The owner may be a program that this program has interrupted. */
DT_INLINE dt_u64 own(const volatile struct dt_request *r)
{
	dt_u64 key = DT_ADDRESS(r), owns = 0;
	dt_u32 none = 0;

#pragma clang loop unroll(disable)
	for (int i = 0; i < MOST_TRIES; i++)
		if (bpf_map_update_elem(&request_owners, &key, &none, NEW_ONLY) == 0) {
			owns = 1;
			break;
		}
	return DT_UNKNOWN(owns);
}

DT_INLINE void disown(const volatile struct dt_request *r)
{
	dt_u64 key = DT_ADDRESS(r);

	bpf_map_delete_elem(&request_owners, &key);
}

/* uses no atomic instruction, because the caller owns the request */
DT_INLINE dt_u64 compare_and_swap(volatile dt_u64 *word, dt_u64 old, dt_u64 next)
{
	*word = next;
	return old;
}

DT_INLINE dt_u64 fetch_and_add(volatile dt_u64 *word, dt_u64 value)
{
	dt_u64 old = *word;

	*word = old + value;
	return old;
}

#else

DT_INLINE dt_u64 own(const volatile struct dt_request *r)
{
	(void)r;
	return 1;
}

DT_INLINE void disown(const volatile struct dt_request *r)
{
	(void)r;
}

#define compare_and_swap(word, old, next) __sync_val_compare_and_swap(word, old, next)
#define fetch_and_add(word, value) __sync_fetch_and_add(word, value)

#endif

struct joining {
	volatile struct dt_request *request;
	dt_u64 time, is_done; /* time: ns since the request began */
};

/* Returns `time`, or the time of the last change if that is later, because firings may be handled out of order. Work
 * is corrected by the difference and stays exact; queue time may be slightly too long. */
DT_INLINE dt_u64 not_before(dt_u64 time, dt_u64 last)
{
	return time < last || time > DT_REQUEST_TIME ? last : time;
}

static long try_to_join(dt_u32 i, struct joining *j)
{
	volatile struct dt_request *r = j->request;
	dt_u64 old = r->packed_threads, threads = old >> DT_REQUEST_THREADS, last = old & DT_REQUEST_TIME;
	dt_u64 time = not_before(j->time, last), now = threads + 1;

	if (now > MOST_THREADS)
		return 1;
	if (compare_and_swap(&r->packed_threads, old, now << DT_REQUEST_THREADS | time) != old)
		return 0;
	if (time != j->time)
		__sync_fetch_and_add(&r->work, time - j->time);
	if (threads)
		__sync_fetch_and_add(&r->work, threads * (time - last));
	else
		__sync_fetch_and_add(&r->totals[DT_PART_QUEUED], time - last);
	j->is_done = 1;
	return 1;
}

/* Counts the thread as working for the request. Returns 0 if too many threads work for it, or if the request is
 * locked. */
DT_INLINE dt_u64 join(struct dt_request *r, dt_u64 now)
{
	struct joining j = {r, now - r->since, DT_UNKNOWN(0)};

	if (!own(r))
		return DT_UNKNOWN(0);
#ifdef DT_PLAIN_KERNEL
	try_to_join(0, &j);
#else
	bpf_loop(MOST_TRIES, try_to_join, &j, 0);
#endif
	disown(r);
	return DT_UNKNOWN(j.is_done);
}

/* Removes a working thread. `packed_threads` now counts the thread as absent since the time in that word. So the
 * thread's work after that time is added here. If it was the last thread, the queue time will later be too long by this
 * work, so the work is subtracted now. */
DT_INLINE void leave(volatile struct dt_request *r, dt_u64 now)
{
	dt_u64 old = fetch_and_add(&r->packed_threads, -1ULL << DT_REQUEST_THREADS), last = old & DT_REQUEST_TIME;
	dt_u64 time = now - r->since - last; /* negative if the thread stopped before the last change */

	__sync_fetch_and_add(&r->work, time);
	if (old >> DT_REQUEST_THREADS == 1)
		__sync_fetch_and_add(&r->totals[DT_PART_QUEUED], -time);
}

/* Adds the thread's work since its last report to the request. Returns the time up to which work is reported now. */
DT_INLINE dt_u64 tell(volatile struct dt_account *a, volatile struct dt_working *w, struct dt_request *r, dt_u64 now)
{
	dt_s64 time, lacks = 0;

	take_stolen(a, now);
	now = look(a, now);
	for (int i = 0; i < DT_PARTS; i++) {
		if (i == DT_PART_QUEUED)
			continue;
		time = a->read[i] - w->totals[i];
		w->totals[i] = a->read[i];
		if (time < 0)
			lacks += time;
		else
			__sync_fetch_and_add(&r->totals[i], time);
	}
	if (lacks)
		__sync_fetch_and_add(&r->totals[DT_PART_INTERRUPT], lacks);
	__sync_fetch_and_add(&r->reported_work, now - w->begun);
	w->begun = now;
	return now;
}

/* Returns the request that the thread works for, or 0 if it has none or the request has ended. */
DT_INLINE struct dt_request *worked_for(const volatile struct dt_working *w, void *requests)
{
	dt_u64 key = w->key, since = w->since;
	struct dt_request *r;

	if (!since)
		return 0;
	r = bpf_map_lookup_elem(requests, &key);
	return r && r->since == since ? r : 0;
}

/* Ends the thread's work for its request. If another program owns the request, returns not 0, and the work goes on. */
DT_HIDDEN dt_u64 dt_request_leave(volatile struct dt_account *a, volatile struct dt_working *w, void *requests,
                                  dt_u64 now)
{
	struct dt_request *r = worked_for(w, requests);

#ifdef DT_PLAIN_KERNEL
	if (r && !own(r))
		return DT_UNKNOWN(1);
#endif
	w->since = 0;
	if (r)
		leave(r, tell(a, w, r, now));
#ifdef DT_PLAIN_KERNEL
	if (r)
		disown(r);
	return DT_UNKNOWN(0);
#else
	return 0;
#endif
}

/* Implements request_begin(). Returns 1 if the map is full, if too many threads work for the request, or if another
 * program owns a request. */
DT_HIDDEN dt_u64 dt_request_begin(volatile struct dt_account *a, struct dt_working *working, void *requests, dt_u64 key,
                                  dt_u64 now)
{
	volatile struct dt_working *w = working;
	struct dt_request *r;

	if (w->key == key && worked_for(w, requests))
		return 0;
#ifdef DT_PLAIN_KERNEL
	if (dt_request_leave(a, w, requests, now))
		return DT_UNKNOWN(1);
#else
	dt_request_leave(a, w, requests, now);
#endif
	now = look(a, now);
	r = bpf_map_lookup_elem(requests, &key);
	if (!r) {
		w->fresh.since = now;
		bpf_map_update_elem(requests, &key, &working->fresh, NEW_ONLY);
		r = bpf_map_lookup_elem(requests, &key);
	}
	if (!r || !join(r, now))
		return DT_UNKNOWN(1);
	for (int i = 0; i < DT_PARTS; i++)
		w->totals[i] = a->read[i];
	w->begun = now;
	w->key = key;
	w->since = r->since;
	return DT_UNKNOWN(0);
}

/* Implements request_end(). */
DT_HIDDEN dt_u64 dt_request_end(volatile struct dt_account *a, volatile struct dt_working *w, void *requests,
                                dt_u64 key, dt_u64 now)
{
	if (w->since && w->key == key)
		dt_request_leave(a, w, requests, now);
	return 0;
}

/* adds the thread's work up to now to the request, if the thread works for it */
DT_HIDDEN dt_u64 dt_request_publish(volatile struct dt_account *a, volatile struct dt_working *w, void *requests,
                                    dt_u64 key, dt_u64 now)
{
	struct dt_request *r = worked_for(w, requests);

	if (r && w->key == key)
		tell(a, w, r, now);
	return 0;
}

/* breakdown(): `words` is the value of an aggregation, with a word for each part of a request's time. Adds the parts
 * that the request has used until `now`, multiplied by `times`. Work that running threads have not reported yet counts
 * as `other`. */
DT_HIDDEN dt_u64 dt_request_breakdown(volatile struct dt_request *r, dt_u64 now, dt_u64 *words, dt_u64 times)
{
	dt_u64 packed_threads = r->packed_threads, threads = packed_threads >> DT_REQUEST_THREADS,
	       last = packed_threads & DT_REQUEST_TIME;
	dt_u64 passed = not_before(now - r->since, last) - last;
	dt_s64 open = r->work + threads * passed - r->reported_work;

	for (int i = 0; i < DT_PARTS; i++)
		__sync_fetch_and_add(&words[i], r->totals[i] * times);
	if (!threads)
		__sync_fetch_and_add(&words[DT_PART_QUEUED], passed * times);
	if (open > 0)
		__sync_fetch_and_add(&words[DT_PART_OTHER], open * times);
	return 0;
}
