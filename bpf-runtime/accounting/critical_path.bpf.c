/* blame(): the critical path of an interval of a thread.
 *
 * Each thread has a history of its recent episodes off a CPU, with the waker of each wait (kept by programs of
 * dcompiler/lower/clause/critical_path.cpp). The interval is followed backwards. Time on a CPU is charged to the thread
 * itself. For a wait, the waker's time during the wait is charged, and the waker's own waits during that time are
 * followed in the same way. So every nanosecond is charged exactly once, and earlier waits of the waker are never
 * charged.
 *
 * The walk uses a stack of frames in memory; each step handles one episode. */
#include "bpf-runtime/accounting/account.h"
#include "bpf-runtime/accounting/waiting.h"
#include "bpf-runtime/runtime.h"

#define DEAD 0x80 /* state of a thread that ends: TASK_DEAD in include/linux/sched.h */
#define NEW_ONLY 1
#define NO_ROOM (-7)       /* -E2BIG */
#define NOBODY 0xffffffffU /* the waker is not known */
#ifdef DT_PLAIN_KERNEL
#define MOST_STEPS 64 /* small, because the verifier follows each step; time that the walk does not reach is charged to
                         "unknown" */
#else
#define MOST_STEPS 1024    /* maximum number of steps of a walk; that many steps take about 0.3 ms */
#endif
#define RAN_BEFORE 1

/* ---- events of a thread ---- */

/* Begins the history of a running thread. It has run since tracing began, because a switch would have created the
 * history. */
DT_HIDDEN dt_u64 dt_history_begin(struct dt_history *h, dt_u64 tid)
{
	if (!h->since) {
		h->since = RAN_BEFORE;
		bpf_get_current_comm(h->execname, sizeof h->execname);
	}
	return 0;
}

/* Called when the current thread leaves its CPU; if `state` is 0, the thread is still runnable. */
DT_HIDDEN dt_u64 dt_history_off(struct dt_history *h, dt_u64 now, dt_u64 state, dt_u64 task,
                                const volatile struct dt_waits *w)
{
	volatile struct dt_episode *e = &h->episodes[h->next & (DT_EPISODES - 1)];
	volatile struct dt_episode *last = &h->episodes[(h->next - 1) & (DT_EPISODES - 1)];
	dt_u64 part = DT_PART_RUNQ;

	if (h->next && !last->on) { /* the thread's return to a CPU was missed, so its actions since then are not known */
		if (last->part == DT_PART_RUNQ)
			last->part = DT_PART_OTHER;
		last->waker = NOBODY;
		last->woken = now;
		last->on = now;
	}
	if (state)
		part = waiting((struct waiter){state, 0, h->lock, -1}, task, w);
	if (!h->since)
		h->since = RAN_BEFORE;
	bpf_get_current_comm(h->execname, sizeof h->execname); /* exec() or the thread itself may have changed the name */
	if (state & DEAD)
		h->ended = now;
	e->on = 0;
	e->off = now;
	e->part = part;
	h->next++;
	return 0;
}

/* Returns the end of a wait: the time of the last wakeup, unless the wakeup was before the thread got its CPU. */
DT_INLINE dt_u64 woken_at(const volatile struct dt_history *h, dt_u64 off, dt_u64 part, dt_u64 otherwise)
{
	dt_u64 waking = h->waking;

	if (part == DT_PART_RUNQ)
		return off;
	if (waking < h->on)
		return otherwise;
	return waking < off ? off : waking; /* the thread may be woken while it leaves its CPU */
}

/* Called when the thread gets a CPU. */
DT_HIDDEN dt_u64 dt_history_on(struct dt_history *h, dt_u64 now)
{
	volatile struct dt_episode *e = &h->episodes[(h->next - 1) & (DT_EPISODES - 1)];

	if (!h->since || h->ended) { /* the thread has no history yet, or the history belongs to an earlier thread with
		                    the same id */
		h->since = now;
		h->ended = 0;
		h->next = 0;
		h->lock = 0;
	} else if (h->next && !e->on) {
		e->woken = woken_at(h, e->off, e->part, now);
		e->waker = h->waking < h->on ? NOBODY : h->waker;
		e->on = now;
	}
	h->on = now;
	return 0;
}

/* Called when the thread is woken. */
DT_HIDDEN dt_u64 dt_history_woken(struct dt_history *h, dt_u64 now, dt_u64 in_interrupt)
{
	h->waking = now;
	h->waker = in_interrupt ? 0 : bpf_get_current_pid_tgid();
	return 0;
}

/* Called when the thread begins to wait for a lock. */
DT_HIDDEN dt_u64 dt_history_lock(struct dt_history *h, dt_u64 lock, dt_u64 flags)
{
	if (!(flags & SPIN) || (flags & MUTEX))
		h->lock = lock;
	return 0;
}

DT_HIDDEN dt_u64 dt_history_unlock(struct dt_history *h, dt_u64 lock)
{
	if (h->lock == lock)
		h->lock = 0;
	return 0;
}

/* ---- blame() ---- */

struct blaming {
	struct dt_blame_work *work;
	void *histories, *entries;
	dt_u64 *key; /* buffer for a map key, which begins with the text of the chain */
	const volatile struct dt_waits *w;
};

/* Appends a name and its separator to the path of a chain. Returns the new length. */
DT_INLINE dt_u64 extended(struct dt_blame_work *work, dt_u64 path, const volatile char *name)
{
	long bytes;

	if (path > DT_BLAME_TEXT - 16)
		return path;
#ifdef DT_LOCKED
	bytes = 16;
	for (int i = 0; i < 16; i++) {
		char c = i < 15 ? name[i] : 0;

		work->path[path + i] = c;
		if (!c) {
			bytes = i + 1;
			break;
		}
	}
#else
	bytes = bpf_probe_read_kernel_str(work->path + path, 16, (const void *)name);
#endif
	if (bytes <= 0 || bytes > 16)
		return path;
	path += bytes;
	work->path[path - 1] = ';';
	return path;
}

/* Adds time to the entry of a chain; its key is the path followed by a name. */
DT_HIDDEN dt_u64 dt_blame_charge(struct blaming *c, dt_u64 path, dt_u64 name, dt_u64 time)
{
	volatile dt_u64 *words = c->key;
	dt_u64 *entry, none = 0;
	dt_s64 status = 0;

	if ((dt_s64)time <= 0)
		return 0;
	for (int i = 0; i < DT_BLAME_TEXT / 8; i++)
		words[i] = 0;
	if (path > DT_BLAME_TEXT - 16)
		path = DT_BLAME_TEXT - 16;
	if (name >= DT_NAMES)
		name = DT_BLAME_UNKNOWN;
#ifdef DT_LOCKED
	dt_own_bytes(c->key, DT_BLAME_TEXT, path, c->work->path, 0, DT_BLAME_TEXT, 0);
	dt_own_bytes((char *)c->key + path, 16, 16, (const void *)c->w->names[name], 0, 16, 1);
#else
	bpf_probe_read_kernel(c->key, path, c->work->path);
	bpf_probe_read_kernel_str((char *)c->key + path, 16, (const void *)c->w->names[name]);
#endif
	entry = bpf_map_lookup_elem(c->entries, c->key);
	if (!entry) {
		status = (int)bpf_map_update_elem(c->entries, c->key, &none, NEW_ONLY);
		entry = bpf_map_lookup_elem(c->entries, c->key);
	}
	if (!entry) {
		c->work->lost = status ? status : NO_ROOM; /* status 0: the entry was inserted, but removed again before
                                                the lookup */
		return 0;
	}
	__sync_fetch_and_add(entry, time * c->work->times);
	return 0;
}

/* Returns the number of episodes of a history that began before `time`. Does not count an episode that may be
 * overwritten concurrently. */
DT_INLINE dt_u64 episodes_before(const volatile struct dt_history *h, dt_u64 time)
{
	dt_u64 end = h->next, begin = end > DT_EPISODES - 1 ? end - (DT_EPISODES - 1) : 0, middle;

	for (int i = 0; i < 6; i++) {
		if (begin >= end)
			break;
		middle = begin + (end - begin) / 2;
		if (h->episodes[middle & (DT_EPISODES - 1)].off < time)
			begin = middle + 1;
		else
			end = middle;
	}
	return DT_UNKNOWN(begin);
}

/* Returns whether a frame of the thread is on the stack. The code has no branches, because the verifier of kernel 7.2
 * follows each thread and result separately: nine threads would need a million instructions. The code subtracts instead
 * of comparing: if a number below 2^32 is smaller than another one, the 64-bit difference has its highest bit set. */
DT_INLINE dt_u64 is_waited_for(const struct dt_blame_work *work, dt_u64 depth, dt_u32 tid)
{
	dt_u64 found = 0, is_frame, differs;

	for (int i = 0; i < DT_BLAME_THREADS; i++) {
		differs = *(const volatile dt_u32 *)&work->frames[i].tid ^ tid;
		is_frame = (dt_u64)i - depth;
		differs--;
		DT_OPAQUE(differs); /* hides the value, because the compiler would turn the code into a comparison, which is a
                         branch */
		DT_OPAQUE(is_frame);
		found |= differs & is_frame;
	}
	return DT_UNKNOWN(found >> 63);
}

/* Handles a wait of the frame's thread: adds a frame for the thread that ended the wait. If that thread cannot be
 * followed, charges the waiting time to the chain. */
DT_INLINE void follow(struct blaming *c, struct dt_blame_frame *f, struct dt_episode e, dt_u64 from, dt_u64 to)
{
	struct dt_blame_work *work = c->work;
	struct dt_blame_frame *next = &work->frames[work->depth & (DT_BLAME_FRAMES - 1)];
	dt_u64 path, part = e.part & (DT_PART_SLOTS - 1), end = DT_BLAME_UNKNOWN;

	if (part >= DT_PARTS)
		part = DT_PART_OTHER;
	path = extended(work, f->path, c->w->names[part]);
	if (!e.waker)
		end = DT_BLAME_INTERRUPT;
	else if (e.waker != NOBODY && is_waited_for(work, work->depth, e.waker))
		end = DT_BLAME_CYCLE;
	else if (e.waker != NOBODY && work->depth >= DT_BLAME_THREADS)
		end = DT_BLAME_TOO_DEEP;
	else if (e.waker != NOBODY) {
		next->from = from;
		next->to = to;
		next->tid = e.waker;
		next->begun = 0;
		next->path = path;
		work->depth++;
		return;
	}
	dt_blame_charge(c, path, end, to - from);
}

/* Handles one episode of the top frame. In reverse order of time, the thread ran after the episode, waited for a CPU,
 * and before that waited for an event. */
static long blame_step(dt_u32 i, struct blaming *c)
{
	struct dt_blame_work *work = c->work;
	dt_u64 depth = work->depth, to, from, n, next, since, time;
	struct dt_blame_frame *f = &work->frames[(depth - 1) & (DT_BLAME_FRAMES - 1)];
	volatile struct dt_history *h;
	struct dt_episode e;

	if (!depth)
		return 1;
	from = f->from;
	to = f->to;
	if (to <= from || to - from > (1ULL << 62)) {
		work->depth = depth - 1;
		return 0;
	}
	h = bpf_map_lookup_elem(c->histories, &f->tid);
	if (!h || !h->since) {
		dt_blame_charge(c, f->path, DT_BLAME_UNKNOWN, to - from);
		work->depth = depth - 1;
		return 0;
	}
	if (!f->begun) {
		f->path = extended(work, f->path, h->execname);
		f->episodes = episodes_before(h, to);
		f->begun = 1;
	}
	n = f->episodes;
	next = h->next;
	if (!n || n + (DT_EPISODES - 1) <= next) { /* no known episode is left */
		since = next < DT_EPISODES ? h->since : to;
		if (since < from)
			since = from;
		if (since < to)
			dt_blame_charge(c, f->path, DT_BLAME_RUNNING, to - since);
		if (since > from)
			dt_blame_charge(c, f->path, DT_BLAME_UNKNOWN, (since < to ? since : to) - from);
		work->depth = depth - 1;
		return 0;
	}
	e.off = h->episodes[(n - 1) & (DT_EPISODES - 1)].off;
	e.woken = h->episodes[(n - 1) & (DT_EPISODES - 1)].woken;
	e.on = h->episodes[(n - 1) & (DT_EPISODES - 1)].on;
	e.waker = h->episodes[(n - 1) & (DT_EPISODES - 1)].waker;
	e.part = h->episodes[(n - 1) & (DT_EPISODES - 1)].part;
	if (!e.on) {
		e.on = to;
		e.woken = woken_at(h, e.off, e.part, to);
		e.waker = h->waking < h->on ? NOBODY : h->waker;
	}
	time = e.on > from ? e.on : from;
	if (time < to) {
		dt_blame_charge(c, f->path, DT_BLAME_RUNNING, to - time);
		to = time;
	}
	time = e.woken > from ? e.woken : from;
	if (time < to) {
		dt_blame_charge(c, f->path, DT_PART_RUNQ, to - time);
		to = time;
	}
	time = e.off > from ? e.off : from;
	f->to = time < to ? time : to;
	f->episodes = n - 1;
	if (time < to)
		follow(c, f, e, time, to);
	return 0;
}

/* Charges the interval of the current thread from `work->frames[0].from` to `to` to the threads on the critical
 * path. Returns 0, or the negative errno of the last chain that could not be stored. */
DT_HIDDEN dt_u64 dt_blame(struct dt_blame_work *work, void *histories, void *entries, dt_u64 *key,
                          const volatile struct dt_waits *w)
{
	struct blaming c = {work, histories, entries, key, w};
	dt_u64 left = 0;

	work->frames[0].tid = bpf_get_current_pid_tgid();
	work->frames[0].begun = 0;
	work->frames[0].path = 0;
	work->depth = 1;
	work->lost = 0;
	DT_LOOP(MOST_STEPS, MOST_STEPS, blame_step, &c);
	for (int i = 0; i < DT_BLAME_THREADS; i++)
		if (i < work->depth && work->frames[i].to > work->frames[i].from)
			left += work->frames[i].to - work->frames[i].from;
	if (work->depth)
		dt_blame_charge(&c, work->frames[0].path, DT_BLAME_UNKNOWN, left);
	return DT_UNKNOWN(work->lost);
}
