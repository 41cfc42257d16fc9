/* The walks of jstack() store the frame pointers of frames without unwind rows, because such frames may belong to an
 * interpreter (interpreters.bpf.c), and the stack pointers of all frames. These walks are separate variants of the
 * walks of ustack(), which thus have no additional cost. WALK() gives the functions of a variant their names. */
#ifndef DT_KEPT_FRAME_POINTERS_H
#define DT_KEPT_FRAME_POINTERS_H

#include "bpf-runtime/interpreter_abi.h"

#ifdef DT_MIXED
#define WALK(function) function##_mixed
#define walk_memory dt_mixed
#else
#define WALK(function) function
#define walk_memory dt_walk
#endif

/* stores the stack pointer at the beginning of the walk */
DT_INLINE void keep_stack_pointer(struct dt_walk *w)
{
#ifdef DT_MIXED
	struct dt_mixed *m = (struct dt_mixed *)w;

	m->sp = w->sp;
	m->cache.is_known = m->cache.instruction = 0;
#endif
}

DT_INLINE void keep_frame_pointer(struct dt_walk *w, dt_u32 i, dt_u64 rule_number, const struct dt_unwind_rule *rule)
{
#if defined(DT_MIXED) && !defined(DT_PLAIN_KERNEL)
	dt_u64 kept = 0;

	if (rule_number == DT_NOWHERE)
		kept = (w->fp & ~(dt_u64)DT_CACHE_BITS) | DT_IN_NO_FILE;
	else if (rule->cfa == DT_CFA_NONE)
		kept = w->fp & ~(dt_u64)DT_CACHE_BITS;
	((struct dt_mixed *)w)->frame_pointers[i & (DT_UNWIND_FRAMES - 1)] = kept;
	((struct dt_mixed *)w)->stack_pointers[i & (DT_UNWIND_FRAMES - 1)] = w->sp;
#endif
}

#endif
