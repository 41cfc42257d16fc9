/* progenyof(): dtrace-actions(7), progenyof. Compiled code passes the offsets of task members, which it takes from the
 * kernel's types. */
#include "bpf-runtime/runtime.h"

#define MOST_LEVELS 256

struct walk {
	dt_u64 task, parent_offset, tgid_offset, wanted, found;
};

static long step(dt_u32 i, struct walk *w)
{
	dt_s32 tgid;
	dt_u64 parent;

	(void)i;
#ifdef DT_LOCKED
	tgid = *(const volatile dt_s32 *)(w->task + w->tgid_offset);
#else
	if (bpf_probe_read_kernel(&tgid, sizeof(tgid), (const void *)(w->task + w->tgid_offset)))
		return 1;
#endif
	if ((dt_u64)(dt_s64)tgid == w->wanted) {
		w->found = 1;
		return 1;
	}
#ifdef DT_LOCKED
	/* the parent of init is the idle task, which is its own parent */
	parent = *(const volatile dt_u64 *)(w->task + w->parent_offset);
	if (!parent || parent == w->task)
		return 1;
#else
	if (bpf_probe_read_kernel(&parent, sizeof(parent), (const void *)(w->task + w->parent_offset)) ||
	    parent == w->task)
		return 1;
#endif
	w->task = parent;
	return 0;
}

/* Returns 1 if `wanted` is the process of `task` or one of its ancestors. */
DT_HIDDEN dt_u64 dt_progenyof(dt_s64 wanted, dt_u64 task, dt_u64 parent_offset, dt_u64 tgid_offset)
{
	struct walk w = {task, parent_offset, tgid_offset, (dt_u64)wanted, 0};

#ifdef DT_LOCKED
	w.task = (dt_u64)bpf_get_current_task_btf();
#endif
	DT_LOOP(MOST_LEVELS, MOST_LEVELS, step, &w, &w.task);
	return DT_UNKNOWN(w.found);
}
