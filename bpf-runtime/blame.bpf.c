/* Who took the time of a thread: blame().
 *
 * Each thread has a history of its last episodes off a CPU, with who ended each wait (programs of dcompiler/lower/blame.cpp
 * keep it). An interval is followed backwards through it: what the thread ran is its own, and of a wait that part of the
 * waker's time counts that lasted as long as the wait did, and no other. What the waker waited in it is followed in turn.
 * So every nanosecond of the interval is charged once, and a wait of the waker's own from before never.
 *
 * The way down and up is a walk with a stack of frames in memory: one step looks at one episode. */
#include "bpf-runtime/account.h"
#include "bpf-runtime/runtime.h"
#include "bpf-runtime/waiting.h"

#define DEAD 0x80 /* include/linux/sched.h, TASK_DEAD */
#define NEW_ONLY 1
#define NO_ROOM (-7) /* E2BIG */
#define NOBODY 0xffffffffU /* whoever woke it was not seen */
#define MOST_STEPS 1024    /* of a walk: about 0.3 ms */
#define RAN_BEFORE 1

/* ---- what happens to a thread ---- */

/* Its history begins; it runs, and has run as long as anybody looked: else it would have one. */
DT_HIDDEN dt_u64 dt_history_begin(struct dt_history *h, dt_u64 tid)
{
	if (!h->since) {
		h->since = RAN_BEFORE;
		bpf_get_current_comm(h->execname, sizeof h->execname);
	}
	return 0;
}

/* The current thread is put off its CPU; `state`: 0 if it could go on. */
DT_HIDDEN dt_u64 dt_history_off(struct dt_history *h, dt_u64 now, dt_u64 state, dt_u64 task,
                                const volatile struct dt_waits *w)
{
	volatile struct dt_episode *e = &h->episodes[h->next & (DT_EPISODES - 1)];
	volatile struct dt_episode *last = &h->episodes[(h->next - 1) & (DT_EPISODES - 1)];
	dt_u64 part = DT_PART_RUNQ;

	if (h->next && !last->on) { /* nobody saw it come back: what it did since is not known */
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
	bpf_get_current_comm(h->execname, sizeof h->execname); /* exec() changes it, and others do */
	if (state & DEAD)
		h->ended = now;
	e->on = 0;
	e->off = now;
	e->part = part;
	h->next++;
	return 0;
}

/* How an episode ended: a wait by the waking that came last, if that was not before the thread had its CPU. */
DT_INLINE dt_u64 woken_at(const volatile struct dt_history *h, dt_u64 off, dt_u64 part, dt_u64 otherwise)
{
	dt_u64 waking = h->waking;

	if (part == DT_PART_RUNQ)
		return off;
	if (waking < h->on)
		return otherwise;
	return waking < off ? off : waking; /* it may be woken while it leaves */
}

/* It is put on a CPU. */
DT_HIDDEN dt_u64 dt_history_on(struct dt_history *h, dt_u64 now)
{
	volatile struct dt_episode *e = &h->episodes[(h->next - 1) & (DT_EPISODES - 1)];

	if (!h->since || h->ended) { /* nobody saw it, or another had its number */
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

/* It is woken. */
DT_HIDDEN dt_u64 dt_history_woken(struct dt_history *h, dt_u64 now, dt_u64 in_interrupt)
{
	h->waking = now;
	h->waker = in_interrupt ? 0 : bpf_get_current_pid_tgid();
	return 0;
}

/* It begins to wait for a lock, or has it. */
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
	dt_u64 *key; /* of an entry: the text of the chain comes first */
	const volatile struct dt_waits *w;
};

/* Puts a name behind the path, and what ends it. Returns how long the path is then. */
DT_INLINE dt_u64 extended(struct dt_blame_work *work, dt_u64 path, const volatile char *name)
{
	long bytes;

	if (path > DT_BLAME_TEXT - 16)
		return path;
	bytes = bpf_probe_read_kernel_str(work->path + path, 16, (const void *)name);
	if (bytes <= 0 || bytes > 16)
		return path;
	path += bytes;
	work->path[path - 1] = ';';
	return path;
}

/* Adds time to the entry of a chain: the path, and a name of it that comes last. */
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
	bpf_probe_read_kernel(c->key, path, c->work->path);
	bpf_probe_read_kernel_str((char *)c->key + path, 16, (const void *)c->w->names[name]);
	entry = bpf_map_lookup_elem(c->entries, c->key);
	if (!entry) {
		status = (int)bpf_map_update_elem(c->entries, c->key, &none, NEW_ONLY);
		entry = bpf_map_lookup_elem(c->entries, c->key);
	}
	if (!entry) {
		c->work->lost = status ? status : NO_ROOM; /* 0: it was taken away at once */
		return 0;
	}
	__sync_fetch_and_add(entry, time * c->work->times);
	return 0;
}

/* How many episodes of a history began before `time`. What is being overwritten is none any more. */
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

/* Without a branch: a verifier that follows each thread and what was found so far separately (7.2) takes a million
 * instructions for nine threads. Numbers below 2^32 less a larger one, or zero less one, have the highest bit. */
DT_INLINE dt_u64 is_waited_for(const struct dt_blame_work *work, dt_u64 depth, dt_u32 tid)
{
	dt_u64 found = 0, is_frame, differs;

	for (int i = 0; i < DT_BLAME_THREADS; i++) {
		differs = *(const volatile dt_u32 *)&work->frames[i].tid ^ tid;
		is_frame = (dt_u64)i - depth;
		differs--;
		DT_OPAQUE(differs); /* or they would become comparisons, which are branches */
		DT_OPAQUE(is_frame);
		found |= differs & is_frame;
	}
	return DT_UNKNOWN(found >> 63);
}

/* A wait of the frame's thread from `from` to `to`: the waker's, or nobody's. */
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
		end = DT_BLAME_KNOT;
	else if (e.waker != NOBODY && work->depth >= DT_BLAME_THREADS)
		end = DT_BLAME_DEEP;
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

/* One episode of the frame on top: what the thread ran after it, what it waited for a CPU, and what it waited. */
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
	if (!n || n + (DT_EPISODES - 1) <= next) { /* none is left, or none that is known */
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

/* Charges the interval of the current thread since `work->frames[0].from`, as far as `to` of it. Returns why the
 * last of the chains that found no room found none: a negative errno; 0 when all are there. */
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
	bpf_loop(MOST_STEPS, blame_step, &c, 0);
	for (int i = 0; i < DT_BLAME_THREADS; i++)
		if (i < work->depth && work->frames[i].to > work->frames[i].from)
			left += work->frames[i].to - work->frames[i].from;
	if (work->depth)
		dt_blame_charge(&c, work->frames[0].path, DT_BLAME_UNKNOWN, left);
	return DT_UNKNOWN(work->lost);
}
