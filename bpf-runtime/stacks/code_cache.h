/* The walk of jstack() through frames of a code cache (struct dt_code_cache_layout), which have no unwind rows. A blob
 * (a piece of machine code in the cache) says how large its frames are. Only frames of the interpreter and of some
 * stubs have frame pointers.
 *
 * In the innermost frame, code may be about to build or to remove its frame. The instructions around the pc show how
 * much of the frame exists. unwind.bpf.c includes this file, so it serves only machines without a link register. */
#ifndef DT_CODE_CACHE_H
#define DT_CODE_CACHE_H

#define NOT_IN_CACHE 3  /* further result of a step of the walk, in addition to LOST, FOUND and END */
#define MAX_HOPS 20     /* limit of the steps from a segment to the first segment of its block */
#define NO_SEGMENT 0xff /* the segment belongs to no block */
#define MAX_FRAME_WORDS (LONGEST_FRAME / 8)
#define MAX_STUB 8192     /* bytes */
#define REGISTER_OF_BCP 2 /* index in struct pt_regs of the register that points to the bytecode which an interpreter
                             runs */

/* Words of an interpreter's frame that are copied to dt_code_cache_walk.frame, from the address frame pointer - 64
 * on. */
enum { FRAME_BCP = 0, FRAME_METHOD = 5, FRAME_LAST_SP, FRAME_SENDER_SP, FRAME_FP, FRAME_PC };
enum { LAST_SP_DISTANCE = 72 }; /* minimum distance of the frame pointer from the top of an interpreter's frame */

struct {
	MAP(type, 1); /* BPF_MAP_TYPE_HASH */
	MAP(max_entries, DT_INTERPRETERS);
	dt_u32 *key;
	struct dt_interpreter *value;
} interpreters WALK_MAP;

DT_INLINE long read_cache(void *to, dt_u32 size, dt_u64 at)
{
	return bpf_probe_read_user(to, size, (const void *)at);
}

DT_INLINE void read_heap(struct dt_code_cache_walk *c, const struct dt_code_cache_layout *l, int which)
{
	struct dt_code_heap *heap = c->heaps + which;
	dt_u64 at = 0;

	heap->start = heap->end = heap->bits = 0;
	if ((dt_u32)c->array[0] <= which)
		return;
	if (read_cache(&at, 8, c->array[l->array_data >> 3 & 3] + which * 8) ||
	    read_cache(&heap->start, 16, at + l->heap_memory) ||
	    read_cache(&heap->segments, 8, at + l->heap_segments) || read_cache(&heap->bits, 4, at + l->heap_bits))
		heap->end = heap->start;
}

DT_INLINE void read_heaps(struct dt_code_cache_walk *c, const struct dt_code_cache_layout *l)
{
	dt_u64 at = 0;

	c->is_known = 1;
	c->interpreter = c->interpreter_bytes = c->array[0] = 0;
	if (!read_cache(&at, 8, l->heaps) && read_cache(c->array, sizeof(c->array), at))
		c->array[0] = 0;
#pragma unroll
	for (int i = 0; i < DT_CACHE_HEAPS; i++)
		read_heap(c, l, i);
	at = 0;
	if (!read_cache(&at, 8, l->interpreter) && at && !read_cache(&c->interpreter, 8, at + l->queue_start))
		read_cache(&c->interpreter_bytes, 4, at + l->queue_size);
}

/* Copies the blob that contains the address to c->blob, and sets c->at to the blob's address. Returns not 0 if there
 * is none. */
DT_INLINE long find_blob(struct dt_code_cache_walk *c, const struct dt_code_cache_layout *l, dt_u64 pc)
{
	dt_u64 start = 0, segments = 0, bits = 0, segment, hop = NO_SEGMENT, used = 0;

#pragma unroll
	for (int i = 0; i < DT_CACHE_HEAPS; i++)
		if (pc - c->heaps[i].start < c->heaps[i].end - c->heaps[i].start) {
			start = c->heaps[i].start;
			segments = c->heaps[i].segments;
			bits = c->heaps[i].bits;
		}
	if (!start)
		return 1;
	segment = (pc - start) >> (bits & 31);
#pragma unroll
	for (int i = 0; i < MAX_HOPS; i++) {
		if (read_cache(&hop, 1, segments + segment) || hop == NO_SEGMENT)
			return 1;
		if (!hop)
			break;
		segment -= hop;
	}
	c->at = start + (segment << (bits & 31));
	if (hop || read_cache(&used, 1, c->at + l->block_used) || !used)
		return 1;
	c->at += l->block_size;
	return read_cache(c->blob, sizeof(c->blob), c->at);
}

DT_INLINE dt_u64 blob_word(const struct dt_code_cache_walk *c, dt_u32 offset)
{
	dt_u64 at = offset >> 3;

	DT_OPAQUE(at);
	return at < sizeof(c->blob) / 8 ? c->blob[at] >> (offset & 7) * 8 : 0;
}

/* Returns the address that a word of the blob contains. With DT_CACHE_OFFSETS, the word contains the address's offset
 * within the blob. */
DT_INLINE dt_u64 blob_address(const struct dt_code_cache_walk *c, const struct dt_code_cache_layout *l, dt_u32 offset)
{
	dt_u64 word = blob_word(c, offset);

	return l->flags & DT_CACHE_OFFSETS ? c->at + (dt_s64)(int)word : word;
}

/* how much of the innermost frame exists at the pc */
enum { WHOLE, ONLY_RETURN, ONLY_SAVED, NOT_SAVED };

#define BYTES(word, count) ((word) & ((1ULL << (count)*8) - 1))
/* Returns whether the `count` bytes that begin `before` bytes before the pc are `bytes`, the start of an
 * instruction. */
#define AFTER(before, count, bytes) (BYTES(c->code[0] >> (8 - (before)) * 8, count) == (bytes))

DT_INLINE dt_u64 is_after_sub(const struct dt_code_cache_walk *c)
{
	return AFTER(4, 3, 0xec8348) | AFTER(7, 3, 0xec8148);
}

/* Returns how much of the frame exists when the pc is in the instructions at the start of a method. */
DT_INLINE dt_u64 part_at_start(const struct dt_code_cache_walk *c)
{
	dt_u64 next = c->code[1], is_pushed = AFTER(1, 1, 0x55);

	if (BYTES(next, 1) == 0x55) /* the next instruction saves the frame pointer */
		return ONLY_RETURN;
	/* an instruction that moves the stack pointer or copies it */
	if (BYTES(next, 3) == 0xec8348 || BYTES(next, 3) == 0xec8148 ||
	    BYTES(next, 3) == 0xe58948 || BYTES(next, 3) == 0xec8b48)
		return is_pushed ? ONLY_SAVED : ONLY_RETURN;
	if (BYTES(next, 4) == 0x246c8948 || BYTES(next, 4) == 0x24ac8948) /* the next one stores FP */
		return is_after_sub(c) ? NOT_SAVED : ONLY_RETURN;
	if (is_after_sub(c) || AFTER(5, 4, 0x246c8948) || AFTER(8, 4, 0x24ac8948))
		return WHOLE;
	/* The code that builds the frame is followed by a barrier of the garbage collector: a comparison and a jump. */
	return BYTES(next, 3) == 0x7f8141 || AFTER(8, 3, 0x7f8141) ? WHOLE : ONLY_RETURN;
}

/* Returns how much of the frame exists when the pc is in the instructions at the end of a method. They move the stack
 * pointer, restore the frame pointer, compare the stack pointer with a limit, jump if it is above the limit, and
 * return. */
DT_INLINE dt_u64 part_at_end(const struct dt_code_cache_walk *c)
{
	dt_u64 next = c->code[1];

	if (BYTES(next, 1) == 0x5d && (AFTER(4, 3, 0xc48348) || AFTER(7, 3, 0xc48148)))
		return ONLY_SAVED;
	if (BYTES(next, 1) == 0xc3 || BYTES(next, 3) == 0xa73b49 || (BYTES(next, 2) == 0x870f && AFTER(7, 3, 0xa73b49)))
		return ONLY_RETURN;
	if (AFTER(1, 1, 0x5d) && (AFTER(5, 3, 0xc48348) || AFTER(8, 3, 0xc48148)))
		return ONLY_RETURN;
	/* before Java 14, the code reads a page instead of comparing with a limit */
	return AFTER(8, 4, 0x978b4d5d) ? ONLY_RETURN : WHOLE;
}

DT_INLINE dt_u64 part_of_frame(struct dt_code_cache_walk *c, const struct dt_code_cache_layout *l, dt_u64 pc)
{
	dt_u64 complete = blob_word(c, l->complete), offset = pc - blob_address(c, l, l->code);
	dt_s64 limit = l->flags & DT_CACHE_SHORT_START ? (short)complete : (int)complete;

	if (read_cache(c->code, sizeof(c->code), pc - 8))
		return WHOLE;
	return (dt_s64)offset < limit ? part_at_start(c) : part_at_end(c);
}

/* Returns whether the call before this return address calls code that begins shortly before the pc. */
DT_INLINE dt_u64 calls(struct dt_code_cache_walk *c, dt_u64 after, dt_u64 pc)
{
	dt_u64 target;

	if (read_cache(c->code, 16, after - 16))
		return 0;
	if ((c->code[1] >> 24 & 0xff) == 0xe8) { /* a call with a relative address */
		target = after + (dt_s64)(int)(c->code[1] >> 32);
		return pc - target < MAX_STUB;
	}
	/* a call to an address in a register */
	target = c->code[0] >> 40 | c->code[1] << 24;
	return (c->code[0] >> 24 & 0xffff) == 0xba49 && c->code[1] >> 40 == 0xd2ff41 && pc - target < MAX_STUB;
}

/* Returns the kind of a stub's frame. Methods return to two stubs. Native code calls methods through the first one; the
 * second one moves the frames of a virtual thread to the stack. */
DT_INLINE dt_u64 kind_of_stub(const struct dt_walk *w, const struct dt_code_cache_layout *l)
{
	dt_u64 call_stub = 0;

	return w->back && !read_cache(&call_stub, 8, l->call_stub) && w->pc != call_stub
	               ? DT_CACHE_STUB | DT_CACHE_MOVED
	               : DT_CACHE_STUB;
}

/* Moves the walk from a stub's frame to its caller. Most stubs have a frame pointer; the others have no frame. For the
 * innermost frame, the walk looks for the return address, a word that points behind a call of the stub. */
DT_INLINE dt_u64 leave_stub(struct dt_walk *w, struct dt_code_cache_walk *c)
{
	if (w->back)
		return follow_frame_pointer(w, NATIVE);
	if (read_words(w, w->sp, NATIVE))
		return LOST;
	w->back = 1;
	if (calls(c, w->saved[0], w->pc))
		return arrive(w, w->saved[0], w->sp + 8, w->fp, NATIVE);
	if (calls(c, w->saved[1], w->pc))
		return arrive(w, w->saved[1], w->sp + 16, w->saved[0], NATIVE);
	if (w->fp - w->sp >= LONGEST_FRAME || read_words(w, w->fp, NATIVE) || !calls(c, w->saved[1], w->pc))
		return LOST;
	return arrive(w, w->saved[1], w->fp + 16, w->saved[0], NATIVE);
}

DT_INLINE dt_u64 leave_compiled(struct dt_walk *w, struct dt_code_cache_walk *c, const struct dt_code_cache_layout *l,
                                dt_u64 words)
{
	dt_u64 part = w->back ? WHOLE : part_of_frame(c, l, w->pc), bytes = words * 8, fp = w->fp;

	w->back = 1;
	if (part == ONLY_RETURN)
		return read_word(w->saved, w->sp, NATIVE) ? LOST : arrive(w, w->saved[0], w->sp + 8, fp, NATIVE);
	if (part == ONLY_SAVED)
		bytes = 16;
	if (read_words(w, w->sp + bytes - 16, NATIVE))
		return LOST;
	return arrive(w, w->saved[1], w->sp + bytes, part == NOT_SAVED ? fp : w->saved[0], NATIVE);
}

/* When a method's code becomes invalid, Java replaces the return address to this code, so that the method continues in
 * the interpreter. If the pc is such a replacement, puts the original return address into w->frames. */
DT_INLINE void restore_return_address(struct dt_walk *w, struct dt_code_cache_walk *c,
                                      const struct dt_code_cache_layout *l)
{
	dt_u64 offset = 0, pc = 0, count = w->count - 1;

	if ((w->pc == blob_address(c, l, l->deoptimised[0]) || w->pc == blob_address(c, l, l->deoptimised[1])) &&
	    !read_cache(&offset, 4, c->at + l->original_pc) && !read_cache(&pc, 8, w->sp + offset) &&
	    count < DT_UNWIND_FRAMES) {
		DT_OPAQUE(count);
		w->frames[count & (DT_UNWIND_FRAMES - 1)] = pc;
	}
}

/* Returns the kind of the innermost frame. While the interpreter runs a method, a register points to the bytecode.
 * During a call, the caller's frame contains its stack pointer until the callee has returned. In all other states
 * the interpreter is between two frames. */
DT_INLINE dt_u64 kind_of_innermost(struct dt_walk *w, struct dt_code_cache_walk *c,
                                   const struct dt_code_cache_layout *l)
{
	dt_u64 last_sp = c->frame[FRAME_LAST_SP], size = 0, start = 0;

	if (w->sp > w->fp - LAST_SP_DISTANCE)
		return w->sp > w->fp - 8 ? DT_CACHE_BETWEEN : DT_CACHE_BEGINS;
	if (w->count > 1)
		return last_sp ? DT_CACHE_BETWEEN : DT_CACHE_INTERRUPTED;
	if (read_register(w, &c->instruction, REGISTER_OF_BCP))
		return DT_CACHE_BETWEEN;
	if (last_sp && (c->instruction == last_sp || w->sp - (last_sp - 8) < LONGEST_FRAME)) {
		c->instruction = c->frame[FRAME_BCP];
		return DT_CACHE_INTERPRETED;
	}
	if (last_sp || read_cache(&start, 8, c->frame[FRAME_METHOD] + l->constant) ||
	    read_cache(&size, 2, start + l->code_size) || c->instruction - (start + l->constant_size) >= size)
		return DT_CACHE_BETWEEN;
	return DT_CACHE_INTERPRETED;
}

DT_INLINE dt_u64 leave_interpreted(struct dt_walk *w, struct dt_code_cache_walk *c,
                                   const struct dt_code_cache_layout *l, dt_u64 *kept)
{
	dt_u64 kind = DT_CACHE_INTERPRETED;

	*kept = DT_CACHE_BETWEEN;
	if (w->fp - w->sp >= LONGEST_FRAME || read_cache(c->frame, sizeof(c->frame), w->fp - 64))
		return LOST;
	if (!w->back)
		kind = kind_of_innermost(w, c, l);
	*kept = w->fp | kind;
	if (kind == DT_CACHE_BETWEEN)
		return LOST;
	w->back = 1;
	return arrive(w, c->frame[FRAME_PC], c->frame[FRAME_SENDER_SP], c->frame[FRAME_FP], NATIVE);
}

/* Moves the walk to the caller of code in a code cache. Returns NOT_IN_CACHE if the pc is not in a code cache. This
 * is a function of its own, because such a function is verified only once. */
DT_EXPORT dt_u64 dt_unwind_code_cache(struct dt_mixed *mixed)
{
	const struct dt_code_cache_layout *l;
	const struct dt_interpreter *of;
	struct dt_code_cache_walk *c;
	struct dt_walk *w;
	dt_u64 kept = DT_CACHE_STUB, next, words, at;
	dt_u32 key;

	if (!mixed)
		return NOT_IN_CACHE;
	w = &mixed->walk;
	c = &mixed->cache;
	key = w->process;
	of = bpf_map_lookup_elem(&interpreters, &key);
	if (!of || (of->flags & (DT_BY_CODE_CACHE | DT_UNKNOWN_BUILD)) != DT_BY_CODE_CACHE)
		return NOT_IN_CACHE;
	l = &of->cache;
	if (!c->is_known)
		read_heaps(c, l);
	at = w->count - 1;
	if (w->pc - w->back - c->interpreter < c->interpreter_bytes) {
		next = leave_interpreted(w, c, l, &kept);
	} else if (find_blob(c, l, w->pc - w->back)) {
		return NOT_IN_CACHE;
	} else {
		words = (dt_u32)blob_word(c, l->frame_words);
		if (words > 1 && words < MAX_FRAME_WORDS) {
			kept = c->at | DT_CACHE_COMPILED;
			if (w->back)
				restore_return_address(w, c, l);
			next = leave_compiled(w, c, l, words);
		} else {
			kept = kind_of_stub(w, l);
			next = leave_stub(w, c);
		}
	}
	DT_OPAQUE(at);
	mixed->frame_pointers[at & (DT_UNWIND_FRAMES - 1)] = kept;
	return DT_UNKNOWN(next);
}

#endif
