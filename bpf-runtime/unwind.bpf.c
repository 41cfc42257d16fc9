/* ustack() of programs without frame pointers: the user stack by the tables that compilers write for exceptions.
 *
 * Those tables (.eh_frame) are programs, too long to be run here. User space runs them and keeps what they say of each
 * range of addresses: one of a few thousand rules, shared by all files (abi.h). Here an address is looked up, mapping,
 * page, row, rule, and the rule applied: one or two words of the stack are read for a frame. Where nothing is known of
 * an address (code made at run time, a file without tables) the frame pointer is followed, as the kernel itself would
 * from the beginning.
 *
 * Words of 32-bit programs are shorter. What walks is compiled for each size (`word` is a constant then), so that
 * neither pays for the other.
 *
 * Searches have no branches: the verifier would walk every way through them. */
#include "bpf-runtime/runtime.h"

static long (*const bpf_probe_read_user)(void *dst, dt_u32 size, const void *src) = (void *)112;
static void *(*const bpf_map_lookup_elem)(void *map, const void *key) = (void *)1;

#define MAP(kind, value) int(*kind)[value]

struct {
	MAP(type, 2); /* BPF_MAP_TYPE_ARRAY */
	MAP(max_entries, 1);
	MAP(map_flags, 1 << 10); /* BPF_F_MMAPABLE */
	dt_u32 *key;
	struct dt_unwind *value;
} unwind __attribute__((section(".maps"), used));

struct {
	MAP(type, 1); /* BPF_MAP_TYPE_HASH */
	MAP(max_entries, DT_UNWIND_PROCESSES);
	dt_u32 *key;
	struct dt_unwind_process *value;
} unwind_processes __attribute__((section(".maps"), used));

struct chunk {
	dt_u32 words[DT_UNWIND_CHUNK_WORDS];
};

struct {
	MAP(type, 12); /* BPF_MAP_TYPE_ARRAY_OF_MAPS */
	MAP(max_entries, DT_UNWIND_CHUNKS);
	dt_u32 *key;
	MAP(value_size, 4);
	struct {
		MAP(type, 2);
		MAP(max_entries, 1);
		MAP(map_flags, 1 << 10);
		MAP(key_size, 4);
		MAP(value_size, sizeof(struct chunk));
	} * values[];
} unwind_memory __attribute__((section(".maps"), used));

#define LONGEST_FRAME (1 << 20) /* frame pointers that are farther from the stack pointer are none */
#define USUAL_ROW_BITS 6        /* most pages have fewer rows */
#define CONTEXT_FP 120          /* struct ucontext: where the registers are */
#define CONTEXT_SP 160
#define CONTEXT_PC 168
#define NARROW_CONTEXT_FP 24 /* struct sigcontext_32; the stack pointer is behind it */
#define NARROW_CONTEXT_PC 56

#define MOST_RETURN_PROBES 8 /* of one function */

enum { LOST, FOUND, END };     /* the caller */
enum { NARROW = 4, WIDE = 8 }; /* bytes of a word */

struct context {
	struct dt_walk *walk;
	struct dt_unwind *shared;
	dt_u64 most;
};

DT_INLINE const struct chunk *chunk_of(dt_u32 number)
{
	dt_u32 zero = 0;
	void *map = bpf_map_lookup_elem(&unwind_memory, &number);

	return map ? bpf_map_lookup_elem(map, &zero) : 0;
}

DT_INLINE dt_u64 less(dt_u64 a, dt_u64 b) /* both below 2^63 */
{
	return (a - b) >> 63;
}

/* Makes `latest` the mapping that the address is in. */
DT_INLINE dt_u64 find_mapping(struct dt_walk *w, dt_u64 address)
{
	const struct chunk *chunk;
	const struct dt_unwind_mapping *mapping;
	dt_u64 found = 0;

	if (address >= w->latest.start && address < w->latest.end)
		return 1;
	chunk = chunk_of(w->chunk);
	if (!chunk)
		return 0;
#pragma unroll
	for (int bit = DT_UNWIND_MAPPING_BITS - 1; bit >= 0; bit--) {
		dt_u64 next = found + (1 << bit), at = (w->at + next * DT_UNWIND_MAPPING_WORDS) &
		                                       (DT_UNWIND_CHUNK_WORDS - DT_UNWIND_MAPPING_WORDS);

		mapping = (const struct dt_unwind_mapping *)(chunk->words + at);
		found += (less(next, w->entries) & (1 - less(address, mapping->start))) << bit;
	}
	mapping =
		(const struct dt_unwind_mapping *)(chunk->words + ((w->at + found * DT_UNWIND_MAPPING_WORDS) &
	                                                           (DT_UNWIND_CHUNK_WORDS - DT_UNWIND_MAPPING_WORDS)));
	if (address < mapping->start || address >= mapping->end)
		return 0;
	w->latest = *mapping;
	return 1;
}

/* Of rows `found` to `end`, the last that begins at `low` or before it: those bits of the distance to it that are below
 * `bits`, but not below `known`. */
DT_INLINE dt_u64 search_rows(const struct chunk *chunk, dt_u64 found, dt_u64 end, dt_u64 low, int bits, int known)
{
#pragma unroll
	for (int bit = bits - 1; bit >= known; bit--) {
		dt_u64 next = found + (1 << bit);

		found += (less(next, end) & (1 - less(low, chunk->words[next & (DT_UNWIND_CHUNK_WORDS - 1)] & 0xffff)))
		         << bit;
	}
	return found;
}

/* The number of the rule for an address that lies in `latest`. */
DT_INLINE dt_u64 find_rule(const struct dt_walk *w, dt_u64 address)
{
	const struct chunk *chunk = chunk_of(w->latest.chunk);
	dt_u64 place = address - w->latest.base, low = place & ((1 << DT_UNWIND_PAGE_BITS) - 1), found, end;

	if (!chunk)
		return 0;
	place = w->latest.at + (place >> DT_UNWIND_PAGE_BITS);
	found = chunk->words[place & (DT_UNWIND_CHUNK_WORDS - 1)];
	end = chunk->words[(place + 1) & (DT_UNWIND_CHUNK_WORDS - 1)];
	if (end - found > 1 << USUAL_ROW_BITS)
		found = search_rows(chunk, found, end, low, DT_UNWIND_ROW_BITS, USUAL_ROW_BITS);
	found = search_rows(chunk, found, end, low, USUAL_ROW_BITS, 0);
	return chunk->words[found & (DT_UNWIND_CHUNK_WORDS - 1)] >> 16;
}

/* The number of the rule for an address, DT_NOWHERE when nothing is known there. */
DT_INLINE dt_u64 look_up(struct dt_walk *w, dt_u64 address)
{
	return find_mapping(w, address) ? find_rule(w, address) : DT_NOWHERE;
}

/* The same as a function. A call of one costs a walk up to 18 ns a frame, and a copy in each kind of walk a script some
 * 5 ms when it is loaded: so walks of 64-bit programs have theirs, and those of 32-bit programs call this. */
DT_EXPORT dt_u64 dt_unwind_look_up(struct dt_walk *walk, dt_u64 address)
{
	return walk ? look_up(walk, address) : DT_NOWHERE;
}

/* While the return of a call is probed, the kernel's own address is where the call's return address was, and the kernel
 * keeps that: in a list, the latest call first, each with the place on the stack. Several probes of one call are
 * several of the list, the last of which has the address.
 *
 * Verified by itself: most walks need it nowhere, and inside of them it is most of what there is to verify. */
DT_EXPORT dt_u64 dt_unwind_return_address(struct dt_walk *w, dt_u64 pc, dt_u64 at)
{
	dt_u64 words;

	if (!w)
		return pc;
	words = w->return_words;
	for (int i = 0; i < MOST_RETURN_PROBES && w->returns; i++) {
		if (bpf_probe_read_kernel(w->instance, sizeof(w->instance), (const void *)w->returns))
			break;
		if (w->instance[words & 7] > at)
			break;
		if (w->instance[words & 7] == at)
			pc = w->instance[words >> 8 & 7];
		w->returns = w->instance[words >> 16 & 7];
	}
	return pc;
}

/* A word of the stack. Not 0: it cannot be read. */
DT_INLINE long read_word(dt_u64 *to, dt_u64 at, dt_u64 word)
{
	long failed = bpf_probe_read_user(to, word, (const void *)at);

	if (word == NARROW)
		*to = (dt_u32)*to;
	return failed;
}

/* Two into `saved`, with one read. */
DT_INLINE long read_words(struct dt_walk *w, dt_u64 at, dt_u64 word)
{
	long failed = bpf_probe_read_user(w->saved, 2 * word, (const void *)at);

	if (word == NARROW) {
		w->saved[1] = w->saved[0] >> 32;
		w->saved[0] = (dt_u32)w->saved[0];
	}
	return failed;
}

DT_INLINE dt_u64 arrive(struct dt_walk *w, dt_u64 pc, dt_u64 sp, dt_u64 fp, dt_u64 word)
{
	dt_u64 up = sp > w->sp;

	if (w->returns)
		pc = dt_unwind_return_address(w, pc, sp - word);
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

/* A signal handler's caller is whatever was interrupted, at any instruction, on any stack. */
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

DT_INLINE dt_u64 leave_narrow_signal(struct dt_walk *w, const struct dt_unwind_rule *rule)
{
	dt_u64 context = w->sp + rule->cfa_offset;

	w->back = 0;
	if (read_word(&w->pc, context + NARROW_CONTEXT_PC, NARROW) ||
	    read_words(w, context + NARROW_CONTEXT_FP, NARROW))
		return LOST;
	w->fp = w->saved[0];
	w->sp = w->saved[1];
	return FOUND;
}

/* 0 when there is none. */
DT_INLINE dt_u64 frame_address(struct dt_walk *w, const struct dt_unwind_rule *rule, dt_u64 word)
{
	dt_u64 kind = rule->cfa, base = kind == DT_CFA_FP || kind == DT_CFA_AT_FP ? w->fp : w->sp;
	dt_s64 offset = rule->cfa_offset;

	if (kind == DT_CFA_PLT)
		return w->sp + word + ((w->pc & 15) >= (dt_u64)offset) * word;
	if (kind < DT_CFA_AT_SP)
		return base + offset;
	if (read_word(w->saved, base + (short)offset, word))
		return 0;
	return w->saved[0] + (offset >> 16);
}

DT_INLINE dt_u64 apply(struct dt_walk *w, const struct dt_unwind_rule *rule, dt_u64 word)
{
	dt_u64 cfa, fp = w->fp, saved_at;

	if (rule->cfa == DT_CFA_NONE)
		return follow_frame_pointer(w, word);
	if (rule->cfa == DT_CFA_END)
		return END;
	if (rule->cfa == DT_CFA_SIGNAL)
		return word == NARROW ? leave_narrow_signal(w, rule) : leave_signal(w);
	cfa = frame_address(w, rule, word);
	if (!cfa)
		return LOST;
	w->back = 1;
	saved_at = (rule->fp == DT_FP_AT_CFA ? cfa : fp) + rule->fp_offset;
	if (rule->fp == DT_FP_AT_CFA && rule->fp_offset == -2 * (int)word) { /* as it mostly is: both with one read */
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
	rule = word == WIDE ? look_up(w, w->pc - w->back) : dt_unwind_look_up(w, w->pc - w->back);
	if (rule != DT_NOWHERE) {
		next = apply(w, &c->shared->rules[rule & (DT_UNWIND_RULES - 1)], word);
	} else {
		c->shared->wanted[w->process & (DT_UNWIND_WANTED - 1)] = w->process;
		w->wants = 1;
		next = follow_frame_pointer(w, word);
	}
	w->entry = 0;
	DT_OPAQUE(behind);
	if (next == LOST && behind < c->most && behind < DT_UNWIND_FRAMES) {
		w->frames[behind] = DT_FRAMES_INCOMPLETE;
		w->bytes += 8;
	}
	return next != FOUND;
}

static long wide_step(dt_u32 i, struct context *c)
{
	return step(i, c, WIDE);
}

static long narrow_step(dt_u32 i, struct context *c)
{
	return step(i, c, NARROW);
}

/* The current process's stack as bpf_get_stack() gives it, in walk->frames, `most` frames at most; returns their bytes,
 * 0 if nothing is known of the process. Of `walk` pc, sp, fp, process, mm, entry, returns and wants (0) are set. Verified once, by
 * itself. */
DT_EXPORT dt_u64 dt_unwind(struct dt_walk *walk, dt_u64 most)
{
	struct context c = {walk, 0, most};
	struct dt_unwind_process *process;
	dt_u32 key = 0;

	c.shared = bpf_map_lookup_elem(&unwind, &key);
	if (!c.shared || !walk || !walk->process || !walk->mm)
		return 0;
	key = walk->process;
	process = bpf_map_lookup_elem(&unwind_processes, &key);
	if (process && !process->mm)
		process->mm = walk->mm;
	if (!process || process->mm != walk->mm) {
		c.shared->wanted[key & (DT_UNWIND_WANTED - 1)] = key;
		walk->wants = 1;
		return 0;
	}
	if (process->used != c.shared->generation)
		process->used = c.shared->generation;
	if (!process->count)
		return 0;
	walk->chunk = process->chunk;
	walk->at = process->at;
	walk->entries = process->count;
	walk->latest.end = walk->back = walk->count = walk->bytes = 0;
	if (process->narrow) {
		walk->pc = (dt_u32)walk->pc;
		walk->sp = (dt_u32)walk->sp;
		walk->fp = (dt_u32)walk->fp;
		bpf_loop(DT_UNWIND_FRAMES, narrow_step, &c, 0);
	} else {
		bpf_loop(DT_UNWIND_FRAMES, wide_step, &c, 0);
	}
	return walk->count * 8;
}
