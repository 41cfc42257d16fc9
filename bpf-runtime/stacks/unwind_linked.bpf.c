/* ustack() of programs without frame pointers on machines that pass the return address in a link register. A leaf
 * function leaves the return address there; other functions store it anywhere in their frames. So an unwind rule also
 * contains the location of the return address (abi.h, DT_RA_...). The link register is used at the start of the walk
 * and after a signal frame.
 *
 * Return addresses may contain a signature (pointer authentication) in bits that code addresses do not use. The walk
 * clears these bits, so it does not need the key.
 *
 * Frame records follow the Procedure Call Standard for the Arm 64-bit Architecture (6.4.6). */
#include "bpf-runtime/stacks/unwind.h"

#define CODE_BITS 48 /* bits of a code address */
/* struct rt_sigframe (arch/arm64/kernel/signal.c): offsets of the frame pointer and of the stack pointer. The link
 * register is in the word after the frame pointer, the pc in the word after the stack pointer */
#define CONTEXT_FP 544
#define CONTEXT_SP 560
#define WORD 8
/* bits of cfa_offset that contain the offset, if the other bits contain the location of the return address */
#define BESIDE_BITS 20

DT_EXPORT dt_u64 WALK(dt_unwind_linked_return_address)(walk_handle of, dt_u64 pc, dt_u64 at)
{
	return return_address(walk_of(of), pc, at);
}

/* Moves the walk to the caller. If `moves` is 1, the caller's frame must be at a higher address. */
DT_INLINE dt_u64 arrive(struct dt_walk *w, dt_u64 pc, dt_u64 sp, dt_u64 fp, dt_u64 moves)
{
	dt_u64 up = sp >= w->sp + moves;

	if (w->returns)
		pc = WALK(dt_unwind_linked_return_address)(handle_of(w), pc, sp);
	w->pc = pc & ((1ULL << CODE_BITS) - 1);
	w->sp = sp;
	w->fp = fp;
	w->link = w->record = 0;
	w->back = 1;
	return !w->pc ? END : up ? FOUND : LOST;
}

/* Follows a frame record. The record lies at the low end of its frame and does not show where the caller's frame
 * begins. */
DT_INLINE dt_u64 follow_frame_pointer(struct dt_walk *w)
{
	dt_u64 fp = w->fp, next;

	if (w->entry)
		return w->link ? arrive(w, w->link, w->sp, fp, 0) : LOST;
	if (fp - w->sp >= LONGEST_FRAME || read_words(w, fp, WORD))
		return LOST;
	next = arrive(w, w->saved[1], fp + 2 * WORD, w->saved[0], 1);
	w->record = 1;
	return next;
}

/* Leaves the frame of a signal handler. The interrupted code may be a leaf function, whose return address is in the
 * link register. */
DT_INLINE dt_u64 leave_signal(struct dt_walk *w)
{
	dt_u64 sp = w->sp;

	w->back = 0;
	if (read_words(w, sp + CONTEXT_FP, WORD))
		return LOST;
	w->fp = w->saved[0];
	w->link = w->saved[1];
	if (read_words(w, sp + CONTEXT_SP, WORD))
		return LOST;
	w->sp = w->saved[0];
	w->pc = w->saved[1];
	return FOUND;
}

DT_INLINE dt_u64 apply(struct dt_walk *w, const struct dt_unwind_rule *rule)
{
	dt_u64 kind = rule->cfa & DT_CFA_BITS, place = rule->cfa >> DT_RA_BITS, cfa, fp = w->fp;
	dt_s64 offset = rule->cfa_offset, apart = offset >> BESIDE_BITS;

	if (kind == DT_CFA_NONE)
		return follow_frame_pointer(w);
	if (kind == DT_CFA_END)
		return END;
	if (kind == DT_CFA_SIGNAL)
		return leave_signal(w);
	if (place == DT_RA_AT_CFA_HIGH)
		offset &= (1 << BESIDE_BITS) - 1;
	cfa = kind == DT_CFA_FP || kind == DT_CFA_AT_FP ? fp : w->sp;
	if (kind < DT_CFA_AT_SP) {
		cfa += offset;
	} else {
		if (read_word(w->saved, cfa + (short)offset, WORD))
			return LOST;
		cfa = w->saved[0] + (offset >> 16);
	}
	if (place == DT_RA_AFTER_FP) { /* usually one read gets both words */
		if (w->record && kind == DT_CFA_SP)
			cfa = fp - rule->fp_offset;
		if (read_words(w, cfa + rule->fp_offset, WORD))
			return LOST;
		return arrive(w, w->saved[1], cfa, w->saved[0], 1);
	}
	if (rule->fp == DT_FP_LOST) {
		fp = 0;
	} else if (rule->fp != DT_FP_SAME) {
		if (read_word(w->saved, (rule->fp == DT_FP_AT_CFA ? cfa : fp) + rule->fp_offset, WORD))
			return LOST;
		fp = w->saved[0];
	}
	if (place == DT_RA_LINK)
		return w->link ? arrive(w, w->link, cfa, fp, 0) : LOST;
	if (read_word(w->saved + 1, cfa + (place == DT_RA_AT_CFA_HIGH ? apart * WORD : rule->fp_offset), WORD))
		return LOST;
	return arrive(w, w->saved[1], cfa, fp, 1);
}

static long step(dt_u32 i, struct context *c)
{
	struct dt_walk *w = c->walk;
	dt_u64 next, rule, behind = i + 1;

	if (i >= c->most || i >= DT_UNWIND_FRAMES)
		return 1;
	w->frames[i] = i == DT_UNWIND_FRAMES - 1 && c->most > DT_UNWIND_FRAMES ? DT_FRAMES_INCOMPLETE : w->pc;
	w->count = i + 1;
	w->bytes = w->count * 8;
	rule = look_up(w, w->pc - w->back);
	keep_frame_pointer(w, i, rule, &c->shared->rules[rule & (DT_UNWIND_RULES - 1)]);
	if (rule != DT_NOWHERE) {
		next = apply(w, &c->shared->rules[rule & (DT_UNWIND_RULES - 1)]);
	} else {
		c->shared->wanted[w->process & (DT_UNWIND_WANTED - 1)] = w->process;
		w->wants = 1;
		next = follow_frame_pointer(w);
	}
	w->entry = 0;
	DT_OPAQUE(behind);
	if (next == LOST && behind < c->most && behind < DT_UNWIND_FRAMES) {
		w->frames[behind] = DT_FRAMES_INCOMPLETE;
		w->bytes += 8;
	}
	return next != FOUND;
}

#ifdef DT_PLAIN_KERNEL

/* Handles one frame. */
DT_EXPORT dt_u64 WALK(dt_unwind_linked_frame)(dt_u64 i, dt_u64 level)
{
	struct context c;

	return find_walk(&c, level) ? step(i, &c) : 1;
}

#endif

/* Walks the stack like dt_unwind() (unwind.bpf.c); the caller also sets `link` of the walk. Returns 0 for 32-bit
 * programs, for which no tables exist here. */
#ifdef DT_PLAIN_KERNEL
DT_HIDDEN dt_u64 WALK(dt_unwind_linked)(struct walk_memory *memory, dt_u64 most)
{
	struct dt_walk *of = (struct dt_walk *)memory, *walk = begin_plain_walk(of, most);
	struct context c = {walk, 0, most};
	const struct dt_unwind_process *process;

	if (!walk)
		return 0;
	process = begin_walk(&c);
	if (process && !process->is_32bit) {
		const dt_u64 level = handle_of(walk);

#pragma clang loop unroll(disable)
		for (dt_u64 i = 0; i < DT_UNWIND_FRAMES; i++)
			if (WALK(dt_unwind_linked_frame)(i, level))
				break;
	}
	return end_plain_walk(of, walk);
}
#else
DT_EXPORT dt_u64 WALK(dt_unwind_linked)(struct walk_memory *memory, dt_u64 most)
{
	struct dt_walk *walk = (struct dt_walk *)memory;
	struct context c = {walk, 0, most};
	const struct dt_unwind_process *process = begin_walk(&c);

	if (!process || process->is_32bit)
		return 0;
	walk->record = 0;
	keep_stack_pointer(walk);
	bpf_loop(DT_UNWIND_FRAMES, step, &c, 0);
	return walk->count * 8;
}
#endif
