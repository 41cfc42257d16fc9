/* Common parts of the user stack walks (unwind.bpf.c, unwind_linked.bpf.c): the maps that user space fills, and look-up
 * of addresses in them. Searches have no branches, because the verifier would follow every path. */
#ifndef DT_UNWIND_H
#define DT_UNWIND_H

#include "bpf-runtime/runtime.h"

/* weak definitions, because the walks of ustack() and of jstack() define the same maps, and a script may use both */
#define WALK_MAP __attribute__((section(".maps"), used, weak))

struct {
	MAP(type, 2); /* BPF_MAP_TYPE_ARRAY */
	MAP(max_entries, 1);
	MAP(map_flags, 1 << 10); /* BPF_F_MMAPABLE */
	dt_u32 *key;
	struct dt_unwind *value;
} unwind WALK_MAP;

struct {
	MAP(type, 1); /* BPF_MAP_TYPE_HASH */
	MAP(max_entries, DT_UNWIND_PROCESSES);
	dt_u32 *key;
	struct dt_unwind_process *value;
} unwind_processes WALK_MAP;

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
} unwind_memory WALK_MAP;

#define LONGEST_FRAME (1 << 20) /* a frame pointer farther than this from the stack pointer is not valid */
#define USUAL_ROW_BITS 6        /* number of search steps that suffice for most pages, which have few rows */

#define MOST_RETURN_PROBES 8 /* maximum number of return probes of one function */

enum { LOST, FOUND, END };       /* results of a step of the walk to the caller's frame */
enum { COMPAT = 4, NATIVE = 8 }; /* bytes of a word */

struct context {
	struct dt_walk *walk;
	struct dt_unwind *shared;
	dt_u64 most;
};

#ifdef DT_PLAIN_KERNEL

/* On kernels where global functions can have only numbers as parameters, they find the walk's data in this map. The
 * index of a walk is the number of walks that it has interrupted on this CPU. */
struct plain_walk {
	struct dt_walk walk;
	dt_u64 level, most;
};

struct plain_walks {
	dt_u64 level;
	struct plain_walk of_level[DT_SLOTS];
};

struct {
	MAP(type, 6); /* BPF_MAP_TYPE_PERCPU_ARRAY */
	MAP(max_entries, 1);
	dt_u32 *key;
	struct plain_walks *value;
} unwind_walks WALK_MAP;

typedef dt_u64 walk_handle;

DT_INLINE struct plain_walks *walks_here(void)
{
	dt_u32 first = 0;

	return bpf_map_lookup_elem(&unwind_walks, &first);
}

DT_INLINE struct dt_walk *walk_of(walk_handle level)
{
	struct plain_walks *walks = walks_here();

	return walks ? &walks->of_level[level & (DT_SLOTS - 1)].walk : 0;
}

DT_INLINE walk_handle handle_of(const struct dt_walk *w)
{
	return ((const struct plain_walk *)w)->level;
}

#else

typedef struct dt_walk *walk_handle;

DT_INLINE struct dt_walk *walk_of(walk_handle walk)
{
	return walk;
}

DT_INLINE walk_handle handle_of(struct dt_walk *w)
{
	return w;
}

#endif

DT_INLINE const struct chunk *chunk_of(dt_u32 number)
{
	dt_u32 zero = 0;
	void *map = bpf_map_lookup_elem(&unwind_memory, &number);

	return map ? bpf_map_lookup_elem(map, &zero) : 0;
}

DT_INLINE dt_u64 less(dt_u64 a, dt_u64 b) /* Returns 1 if a < b, else 0; both must be below 2^63. */
{
	return (a - b) >> 63;
}

/* Finds the mapping that contains the address and stores it in w->latest. Returns 0 if there is none. */
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

/* Binary search: returns the last of the rows `found` to `end` that begins at or before `low`. The result's distance
 * from `found` is determined bit by bit, from bit `bits` - 1 down to bit `known`. */
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

/* Returns the index in dt_unwind.rules of the rule for an address in the mapping w->latest. */
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

/* Returns the index in dt_unwind.rules of the rule for an address, or DT_NOWHERE if no table describes the address. */
DT_INLINE dt_u64 look_up(struct dt_walk *w, dt_u64 address)
{
	return find_mapping(w, address) ? find_rule(w, address) : DT_NOWHERE;
}

/* Returns the original return address. While a call's return is probed, the kernel replaces its return address on the
 * stack. The original ones are in a list, latest call first, each with its stack location. A call with several return
 * probes has several list entries, and the last one has the original address.
 *
 * The function is verified separately: most walks do not need it, but an inlined copy would take most of the
 * verification time. */
DT_INLINE dt_u64 return_address(struct dt_walk *w, dt_u64 pc, dt_u64 at)
{
	dt_u64 words;

	if (!w)
		return pc;
	words = w->return_words;
	for (int i = 0; i < MOST_RETURN_PROBES && w->returns; i++) {
#ifdef DT_LOCKED
		break; /* the list is not readable */
#else
		if (bpf_probe_read_kernel(w->instance, sizeof(w->instance), (const void *)w->returns))
			break;
#endif
		if (w->instance[words & 7] > at)
			break;
		if (w->instance[words & 7] == at)
			pc = w->instance[words >> 8 & 7];
		w->returns = w->instance[words >> 16 & 7];
	}
	return pc;
}

/* Reads a word of the stack. Returns not 0 if it cannot be read. */
DT_INLINE long read_word(dt_u64 *to, dt_u64 at, dt_u64 word)
{
	long failed = bpf_probe_read_user(to, word, (const void *)at);

	if (word == COMPAT)
		*to = (dt_u32)*to;
	return failed;
}

/* Reads two words into `saved` with one read. */
DT_INLINE long read_words(struct dt_walk *w, dt_u64 at, dt_u64 word)
{
	long failed = bpf_probe_read_user(w->saved, 2 * word, (const void *)at);

	if (word == COMPAT) {
		w->saved[1] = w->saved[0] >> 32;
		w->saved[0] = (dt_u32)w->saved[0];
	}
	return failed;
}

/* Initialises the walk with the process's mappings. Returns null if the process is not known. */
DT_INLINE struct dt_unwind_process *begin_walk(struct context *c)
{
	struct dt_walk *walk = c->walk;
	struct dt_unwind_process *process;
	dt_u32 key = 0;

	c->shared = bpf_map_lookup_elem(&unwind, &key);
	if (!c->shared || !walk || !walk->process || !walk->mm)
		return 0;
	key = walk->process;
	process = bpf_map_lookup_elem(&unwind_processes, &key);
	if (process && !process->mm)
		process->mm = walk->mm;
	if (!process || process->mm != walk->mm) {
		c->shared->wanted[key & (DT_UNWIND_WANTED - 1)] = key;
		walk->wants = 1;
		return 0;
	}
	if (process->used != c->shared->generation)
		process->used = c->shared->generation;
	if (!process->count)
		return 0;
	walk->chunk = process->chunk;
	walk->at = process->at;
	walk->entries = process->count;
	walk->latest.end = walk->back = walk->count = walk->bytes = 0;
	return process;
}

#ifdef DT_PLAIN_KERNEL

/* Copies the walk to the next element of `unwind_walks`. Returns null if the map has no data for this CPU. */
DT_INLINE struct dt_walk *begin_plain_walk(const struct dt_walk *from, dt_u64 most)
{
	struct plain_walks *walks = walks_here();
	struct plain_walk *slot;
	dt_u64 level;

	if (!walks || !from)
		return 0;
	level = walks->level & (DT_SLOTS - 1);
	walks->level = level + 1;
	slot = &walks->of_level[level];
	slot->level = level;
	slot->most = most;
	slot->walk.pc = from->pc;
	slot->walk.sp = from->sp;
	slot->walk.fp = from->fp;
	slot->walk.process = from->process;
	slot->walk.mm = from->mm;
	slot->walk.entry = from->entry;
	slot->walk.returns = from->returns;
	slot->walk.return_words = from->return_words;
	slot->walk.link = from->link;
	slot->walk.wants = slot->walk.count = slot->walk.bytes = slot->walk.record = 0;
	return &slot->walk;
}

/* Copies the results back from `unwind_walks` to the walk. Returns the number of bytes of the frames. */
DT_INLINE dt_u64 end_plain_walk(struct dt_walk *to, const struct dt_walk *from)
{
	struct plain_walks *walks = walks_here();
	dt_u64 bytes = from->bytes;

	to->count = from->count;
	to->wants = from->wants;
	to->bytes = bytes;
	DT_OPAQUE(bytes);
	if (bytes <= sizeof(to->frames))
		bpf_probe_read_kernel(to->frames, bytes, from->frames);
	if (walks)
		walks->level--;
	return DT_UNKNOWN(to->count * 8);
}

/* Fills `c` for a function that handles one frame. Returns 0 if the data of the walk were not found. */
DT_INLINE dt_u64 find_walk(struct context *c, dt_u64 level)
{
	dt_u32 key = 0;

	c->walk = walk_of(level);
	c->shared = bpf_map_lookup_elem(&unwind, &key);
	if (!c->walk || !c->shared)
		return 0;
	c->most = ((struct plain_walk *)c->walk)->most;
	return 1;
}

#endif

#endif

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
