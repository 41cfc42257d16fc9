/* ustack() for programs without frame pointers: walks the user stack by the tables that compilers generate for
 * exceptions.
 *
 * These tables (.eh_frame) are programs, too long to run here. User space runs them and stores the result for each
 * address range: one of a few thousand rules, shared by all files (abi.h). This code looks up an address (mapping,
 * page, row, rule) and applies the rule, which reads one or two words of the stack per frame. Addresses without rules
 * (JIT code, files without tables) are walked by frame pointers, as the kernel does for all frames.
 *
 * Words of 32-bit programs are shorter. The walk is compiled for each size, with `word` as a constant, so that neither
 * size slows down the other. */
#include "bpf-runtime/stacks/unwind.h"
#include "bpf-runtime/stacks/unwind_places.h"

#define CONTEXT_FP 120 /* struct ucontext: offsets of the registers */
#define CONTEXT_SP 160
#define CONTEXT_PC 168
#define MOST_REGISTERS 21    /* all machines have at least this number of words in struct pt_regs */
#define NARROW_CONTEXT_FP 24 /* offsets in struct sigcontext_32; the stack pointer is in the word after the frame
                                pointer */
#define NARROW_CONTEXT_PC 56

#ifdef DT_PLAIN_KERNEL
#define INLINED_LOOK_UP 0 /* a function, because the verifier would take too long if copies were inlined */
#else
#define INLINED_LOOK_UP NATIVE
#endif

/* Calls look_up() without inlining. The call costs up to 18 ns per frame, while each inlined copy adds about 5 ms to
 * the load time of a script. So walks of 64-bit programs have an inlined copy, and walks of 32-bit programs call this
 * function.
 */
DT_EXPORT dt_u64 WALK(dt_unwind_look_up)(walk_handle of, dt_u64 address)
{
	struct dt_walk *walk = walk_of(of);

	return walk ? look_up(walk, address) : DT_NOWHERE;
}

DT_EXPORT dt_u64 WALK(dt_unwind_return_address)(walk_handle of, dt_u64 pc, dt_u64 at)
{
	return return_address(walk_of(of), pc, at);
}

DT_INLINE dt_u64 arrive(struct dt_walk *w, dt_u64 pc, dt_u64 sp, dt_u64 fp, dt_u64 word)
{
	dt_u64 up = sp > w->sp;

	if (w->returns)
		pc = WALK(dt_unwind_return_address)(handle_of(w), pc, sp - word);
	w->pc = pc;
	w->sp = sp;
	w->fp = fp;
	return !pc ? END : up ? FOUND : LOST;
}

DT_INLINE dt_u64 follow_frame_pointer(struct dt_walk *w, dt_u64 word)
{
	dt_u64 fp = w->fp;

	w->back = 1;
	if (w->entry) {
		if (read_word(w->saved, w->sp, word))
			return LOST;
		return arrive(w, w->saved[0], w->sp + word, fp, word);
	}
	if (fp - w->sp >= LONGEST_FRAME || read_words(w, fp, word))
		return LOST;
	return arrive(w, w->saved[1], fp + 2 * word, w->saved[0], word);
}

/* Moves the walk from a signal handler to the interrupted code, which may be at any instruction and on any stack. */
DT_INLINE dt_u64 leave_signal(struct dt_walk *w)
{
	dt_u64 sp = w->sp;

	w->back = 0;
	if (bpf_probe_read_user(&w->fp, sizeof(w->fp), (const void *)(sp + CONTEXT_FP)) ||
	    bpf_probe_read_user(w->saved, sizeof(w->saved), (const void *)(sp + CONTEXT_SP)))
		return LOST;
	w->sp = w->saved[0];
	w->pc = w->saved[1];
	return FOUND;
}

DT_INLINE dt_u64 leave_compat_signal(struct dt_walk *w, const struct dt_unwind_rule *rule)
{
	dt_u64 context = w->sp + rule->cfa_offset;

	w->back = 0;
	if (read_word(&w->pc, context + NARROW_CONTEXT_PC, COMPAT) ||
	    read_words(w, context + NARROW_CONTEXT_FP, COMPAT))
		return LOST;
	w->fp = w->saved[0];
	w->sp = w->saved[1];
	return FOUND;
}

/* Reads a register of the innermost frame, by its number in struct pt_regs. Returns 0, or an error if it cannot be
 * read. The address goes through memory, because the verifier refuses arithmetic on its own pointers. */
DT_INLINE long read_register(struct dt_walk *w, dt_u64 *to, dt_u64 number)
{
#ifdef DT_PLAIN_KERNEL
	(void)w, (void)to, (void)number;
	return 1; /* kernels without a helper that finds the saved registers */
#elif defined(DT_LOCKED)
	const volatile dt_u64 *registers =
		(const volatile dt_u64 *)bpf_task_pt_regs((dt_u64)bpf_get_current_task_btf());
	dt_u64 found = 0;

	(void)w;
	_Pragma("unroll") for (dt_u64 i = 0; i < MOST_REGISTERS; i++) if (i == (number & 31)) found = registers[i];
	*to = found;
	return (number & 31) >= MOST_REGISTERS;
#else
	volatile dt_u64 *registers = w->instance;

	*registers = (dt_u64)bpf_task_pt_regs((dt_u64)bpf_get_current_task_btf());
	return bpf_probe_read_kernel(to, sizeof(*to), (const void *)(*registers + 8 * (number & 31)));
#endif
}

#if defined(DT_MIXED) && !defined(DT_PLAIN_KERNEL)
#include "bpf-runtime/stacks/code_cache.h"
#endif

/* Moves the walk to the caller of code that is in no known mapping. */
DT_INLINE dt_u64 leave_unknown(struct context *c, dt_u64 word)
{
	struct dt_walk *w = c->walk;

#if defined(DT_MIXED) && !defined(DT_PLAIN_KERNEL)
	if (word == NATIVE) {
		dt_u64 next = dt_unwind_code_cache((struct dt_mixed *)w);

		if (next != NOT_IN_CACHE)
			return next;
	}
#endif
	c->shared->wanted[w->process & (DT_UNWIND_WANTED - 1)] = w->process;
	w->wants = 1;
	return follow_frame_pointer(w, word);
}

/* Returns the CFA (canonical frame address), or 0 if it cannot be read. */
DT_INLINE dt_u64 frame_address(struct dt_walk *w, const struct dt_unwind_rule *rule, dt_u64 word)
{
	dt_u64 kind = rule->cfa & DT_CFA_BITS, base = kind == DT_CFA_FP || kind == DT_CFA_AT_FP ? w->fp : w->sp;
	dt_s64 offset = rule->cfa_offset;

	if (kind == DT_CFA_PLT)
		return w->sp + word + ((w->pc & 15) >= (dt_u64)offset) * word;
	if (word == NATIVE && kind == DT_CFA_REGISTER)
		return read_register(w, w->saved, offset & 255) ? 0 : w->saved[0] + (offset >> 8);
	if (kind < DT_CFA_AT_SP)
		return base + offset;
	if (read_word(w->saved, base + (short)offset, word))
		return 0;
	return w->saved[0] + (offset >> 16);
}

/* applies a rule of one of the kinds in unwind_places.h */
DT_INLINE dt_u64 apply_rare(struct dt_walk *w, const struct dt_unwind_rule *rule)
{
	dt_u64 place = rule->cfa >> DT_RA_BITS, cfa, fp = 0;
	long failed;

	if (w->count != 1 && (place == DT_RA_REGISTER || (rule->cfa & DT_CFA_BITS) == DT_CFA_REGISTER))
		return follow_frame_pointer(w, NATIVE);
	cfa = frame_address(w, rule, NATIVE);
	failed = !cfa;
	w->back = 1;
	if (place == DT_RA_REGISTER)
		failed |= read_register(w, w->saved + 1, rule->fp_offset);
	else
		failed |= read_word(w->saved + 1, cfa + (place ? rule->fp_offset : -NATIVE), NATIVE);
	if (rule->fp == DT_FP_SAME)
		fp = w->fp;
	else if (!place && rule->fp == DT_FP_AT_CFA && !read_word(w->saved, cfa + rule->fp_offset, NATIVE))
		fp = w->saved[0];
	if (failed)
		return LOST;
	if (w->count == 1) /* the caller may have another stack, or the same stack pointer, so every stack pointer is
	               valid for the next frame */
		w->sp = 0;
	return arrive(w, w->saved[1], cfa, fp, NATIVE);
}

DT_INLINE dt_u64 apply(struct dt_walk *w, const struct dt_unwind_rule *rule, dt_u64 word)
{
	dt_u64 cfa, fp = w->fp, saved_at;

	if (word == NATIVE && rule->cfa > DT_CFA_AT_FP)
		return apply_rare(w, rule);
	if (rule->cfa == DT_CFA_NONE)
		return follow_frame_pointer(w, word);
	if (rule->cfa == DT_CFA_END)
		return END;
	if (rule->cfa == DT_CFA_SIGNAL)
		return word == COMPAT ? leave_compat_signal(w, rule) : leave_signal(w);
	cfa = frame_address(w, rule, word);
	if (!cfa)
		return LOST;
	w->back = 1;
	saved_at = (rule->fp == DT_FP_AT_CFA ? cfa : fp) + rule->fp_offset;
	if (rule->fp == DT_FP_AT_CFA && rule->fp_offset == -2 * (int)word) { /* usually one read gets both words */
		if (read_words(w, saved_at, word))
			return LOST;
		return arrive(w, w->saved[1], cfa, w->saved[0], word);
	}
	if (read_word(w->saved + 1, cfa - word, word))
		return LOST;
	if (rule->fp == DT_FP_LOST)
		fp = 0;
	else if (rule->fp != DT_FP_SAME) {
		if (read_word(w->saved, saved_at, word))
			return LOST;
		fp = w->saved[0];
	}
	return arrive(w, w->saved[1], cfa, fp, word);
}

DT_INLINE long step(dt_u32 i, struct context *c, dt_u64 word)
{
	struct dt_walk *w = c->walk;
	dt_u64 next, rule, behind = i + 1;

	if (i >= c->most || i >= DT_UNWIND_FRAMES)
		return 1;
	w->frames[i] = i == DT_UNWIND_FRAMES - 1 && c->most > DT_UNWIND_FRAMES ? DT_FRAMES_INCOMPLETE : w->pc;
	w->count = i + 1;
	w->bytes = w->count * 8;
	rule = word == INLINED_LOOK_UP ? look_up(w, w->pc - w->back)
	                               : WALK(dt_unwind_look_up)(handle_of(w), w->pc - w->back);
	keep_frame_pointer(w, i, rule, &c->shared->rules[rule & (DT_UNWIND_RULES - 1)]);
	next = rule != DT_NOWHERE ? apply(w, &c->shared->rules[rule & (DT_UNWIND_RULES - 1)], word)
	                          : leave_unknown(c, word);
	w->entry = 0;
	DT_OPAQUE(behind);
	if (next == LOST && behind < c->most && behind < DT_UNWIND_FRAMES) {
		w->frames[behind] = DT_FRAMES_INCOMPLETE;
		w->bytes += 8;
	}
	return next != FOUND;
}

#ifdef DT_PLAIN_KERNEL

/* each of the following functions handles one frame */
DT_EXPORT dt_u64 WALK(dt_unwind_native)(dt_u64 i, dt_u64 level)
{
	struct context c;

	return find_walk(&c, level) ? step(i, &c, NATIVE) : 1;
}

DT_EXPORT dt_u64 WALK(dt_unwind_compat)(dt_u64 i, dt_u64 level)
{
	struct context c;

	return find_walk(&c, level) ? step(i, &c, COMPAT) : 1;
}

#else

static long native_step(dt_u32 i, struct context *c)
{
	return step(i, c, NATIVE);
}

static long compat_step(dt_u32 i, struct context *c)
{
	return step(i, c, COMPAT);
}

#endif

#ifdef DT_PLAIN_KERNEL

DT_INLINE void walk_frames(dt_u64 level, dt_u64 is_32bit)
{
#pragma clang loop unroll(disable)
	for (dt_u64 i = 0; i < DT_UNWIND_FRAMES; i++)
		if (is_32bit ? WALK(dt_unwind_compat)(i, level) : WALK(dt_unwind_native)(i, level))
			break;
}

#endif

/* Walks the current process's stack like bpf_get_stack() into walk->frames, at most `most` frames. Returns the bytes,
 * or 0 if the process is not known. The caller sets pc, sp, fp, process, mm, entry, returns and wants (0) of `walk`.
 * The verifier checks this function once, independently of callers. */
#ifdef DT_PLAIN_KERNEL
DT_HIDDEN dt_u64 WALK(dt_unwind)(struct walk_memory *memory, dt_u64 most)
{
	struct dt_walk *of = (struct dt_walk *)memory, *walk = begin_plain_walk(of, most);
	struct context c = {walk, 0, most};
	struct dt_unwind_process *process;

	if (!walk)
		return 0;
	process = begin_walk(&c);
	if (process && process->is_32bit) {
		walk->pc = (dt_u32)walk->pc;
		walk->sp = (dt_u32)walk->sp;
		walk->fp = (dt_u32)walk->fp;
	}
	if (process)
		walk_frames(handle_of(walk), process->is_32bit);
	return end_plain_walk(of, walk);
}
#else
DT_EXPORT dt_u64 WALK(dt_unwind)(struct walk_memory *memory, dt_u64 most)
{
	struct dt_walk *walk = (struct dt_walk *)memory;
	struct context c = {walk, 0, most};
	struct dt_unwind_process *process = begin_walk(&c);

	if (!process)
		return 0;
	keep_stack_pointer(walk);
	if (process->is_32bit) {
		walk->pc = (dt_u32)walk->pc;
		walk->sp = (dt_u32)walk->sp;
		walk->fp = (dt_u32)walk->fp;
		bpf_loop(DT_UNWIND_FRAMES, compat_step, &c, 0);
	} else {
		bpf_loop(DT_UNWIND_FRAMES, native_step, &c, 0);
	}
	return walk->count * 8;
}
#endif
