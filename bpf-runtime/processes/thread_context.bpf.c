/* traceid, spanid, ctxattr(): the trace context that a thread publishes in a record of OTEP 4947 (OpenTelemetry thread
 * context).
 *
 * The thread-local variable otel_thread_ctx_v1 of a process points to the thread's record or is null. The record begins
 * with 16 bytes of the trace id and 8 of the span id. Next come a byte that is 1 while these ids are valid, flags, and
 * two bytes with the size of the attributes that follow. Only the thread itself writes the record, so code that
 * interrupts the thread never sees an unmarked partial change. An attribute consists of the number of its name (the
 * process publishes the names elsewhere), a byte with its size, and its text. User space finds the variable's location
 * once per process.
 *
 * Reading user memory with a helper costs about 100 ns. If compiled code may load from any address, it uses the
 * kernel's page tables instead (docs/decisions/85-user-memory-by-page-tables.md), between dt_context_place() and
 * dt_context_text(). */
#include "bpf-runtime/processes/thread_context.h"
#include "bpf-runtime/runtime.h"

struct {
	MAP(type, 2); /* BPF_MAP_TYPE_ARRAY */
	MAP(max_entries, 1);
	MAP(map_flags, 1 << 10); /* BPF_F_MMAPABLE */
	dt_u32 *key;
	struct dt_contexts *value;
} contexts __attribute__((section(".maps"), used));

struct {
	MAP(type, 9); /* BPF_MAP_TYPE_LRU_HASH */
	MAP(max_entries, DT_CONTEXT_PROCESSES);
	dt_u32 *key;
	struct dt_context_process *value;
} context_processes __attribute__((section(".maps"), used));

#ifdef DT_PLAIN_KERNEL /* takes a number, because a global function cannot have pointers as parameters */
#undef DT_EXPORT
#define DT_EXPORT DT_HIDDEN
#endif

#define HEAD 28        /* size of the record of OTEP 4947 in bytes, without its attributes */
#define UNUSED (~0ULL) /* address of a TLS block that the thread has not allocated yet (glibc, TLS_DTV_UNALLOCATED) */

DT_INLINE dt_u64 word_of_user(dt_u64 address)
{
	dt_u64 word = 0;

	return bpf_probe_read_user(&word, sizeof(word), (const void *)address) ? 0 : word;
}

/* Requests that user space examines the process. Returns not 0 if user space should examine it soon. */
DT_INLINE dt_u64 want(dt_u32 process, dt_u32 how)
{
	dt_u32 zero = 0;
	struct dt_contexts *shared = bpf_map_lookup_elem(&contexts, &zero);
	dt_u32 *slot;

	if (!shared)
		return 0;
	slot = &shared->wanted[process & (DT_CONTEXT_WANTED - 1)];
	if (*slot != (process | how))
		*slot = process | how;
	return how;
}

/* Returns the variable's address in its module's TLS block, found in glibc's table of the thread. Each module from 1 on
 * has an entry of 16 bytes, which begins with the address of its block. The number of entries precedes the table. */
DT_INLINE dt_u64 in_block(const struct dt_thread_context *c, const struct dt_context_process *process)
{
	dt_u64 table = word_of_user(c->thread_pointer + process->table), block;

	if (!table || process->module > word_of_user(table - 16))
		return 0;
	block = word_of_user(table + process->module * 16ULL);
	return block && block != UNUSED ? block + process->offset : 0;
}

/* Converts four bytes to eight hexadecimal digits: each byte becomes two bytes with its halves, and each half a digit.
 */
DT_INLINE dt_u64 digits(dt_u64 bytes)
{
	dt_u64 n = (dt_u32)bytes, letters;

	n = (n | n << 16) & 0x0000ffff0000ffffULL;
	n = (n | n << 8) & 0x00ff00ff00ff00ffULL;
	n = (n >> 4 & 0x000f000f000f000fULL) | (n & 0x000f000f000f000fULL) << 8;
	letters = (n + 0x0606060606060606ULL) >> 4 & 0x0101010101010101ULL;
	return n + 0x3030303030303030ULL + letters * ('a' - '0' - 10);
}

/* Finds the variable otel_thread_ctx_v1 of the current thread; sets c->place and c->wants. */
DT_INLINE struct dt_context_process *place(struct dt_thread_context *c)
{
	struct dt_context_process *process;
	dt_u32 key = c->process;

	c->place = 0;
	c->wants = 0;
	if (!c->mm || !c->thread_pointer)
		return 0;
	process = bpf_map_lookup_elem(&context_processes, &key);
	if (process && !process->mm)
		process->mm = c->mm;
	if (!process || process->mm != c->mm) {
		c->wants = want(key, DT_CONTEXT_UNKNOWN);
		return 0;
	}
	if (process->module == DT_CONTEXT_NOWHERE) {
		c->wants = want(key, 0);
		return 0;
	}
	c->place = process->module ? in_block(c, process) : c->thread_pointer + process->offset;
	return process;
}

/* Returns not 0 if a valid record is at `at`, and stores its header in c->record. */
DT_INLINE dt_u64 has_record(struct dt_thread_context *c, dt_u64 at)
{
	return at && !bpf_probe_read_user(c->record, HEAD, (const void *)at) && (dt_u8)c->record[3] == 1;
}

/* Guesses the start of the direct mapping: the start is aligned, and the task's mm_struct lies in the mapping. The
 * first values read this way are compared with those that a helper reads, until one pair agrees. Wrong values are
 * discarded, and a page of another process is never read.
 */
DT_INLINE void guess_memory(struct dt_thread_context *c)
{
	dt_u32 zero = 0;
	struct dt_contexts *shared = bpf_map_lookup_elem(&contexts, &zero);
	dt_u64 tried;

	c->memory = c->is_trusted = c->word = c->is_read = 0;
	if (!shared)
		return;
	c->memory = c->is_trusted = shared->memory;
	tried = shared->tried;
	if (!c->memory && tried < DT_MEMORY_TRIED)
		c->memory = ((c->mm >> DT_MEMORY_ALIGNED) - tried) << DT_MEMORY_ALIGNED;
}

DT_INLINE void judge_memory(const struct dt_thread_context *c, dt_u64 word)
{
	dt_u32 zero = 0;
	struct dt_contexts *shared = bpf_map_lookup_elem(&contexts, &zero);

	if (!shared || !c->memory || c->is_trusted || !word)
		return;
	if (c->word == word)
		shared->memory = c->memory;
	else
		shared->tried++;
}

/* Finds the variable and a possible direct mapping. The caller sets the first three members of `c`. The verifier
 * checks this function, and those below, once and independently of their callers. */
DT_EXPORT dt_u64 dt_context_place(struct dt_thread_context *c)
{
	if (!c)
		return 0;
	place(c);
	guess_memory(c);
	return 0;
}

/* Stores the thread's trace context as text in `c`, "" if it publishes none. All members of `c` except the texts must
 * be set. Returns not 0 if dt_contexts.wanted contains a new entry. */
DT_EXPORT dt_u64 dt_context_text(struct dt_thread_context *c)
{
	dt_u64 word;

	if (!c)
		return 0;
	c->trace[0] = c->trace[1] = c->trace[2] = c->trace[3] = c->trace[4] = 0;
	c->span[0] = c->span[1] = c->span[2] = 0;
	if (!c->place)
		return c->wants;
	if (c->is_read) {
		if (!c->word || (dt_u8)c->record[3] != 1)
			return 0;
	} else {
		word = word_of_user(c->place);
		judge_memory(c, word);
		if (!has_record(c, word))
			return 0;
	}
	if (c->record[0] | c->record[1]) {
		c->trace[0] = digits(c->record[0]);
		c->trace[1] = digits(c->record[0] >> 32);
		c->trace[2] = digits(c->record[1]);
		c->trace[3] = digits(c->record[1] >> 32);
	}
	if (c->record[2]) {
		c->span[0] = digits(c->record[2]);
		c->span[1] = digits(c->record[2] >> 32);
	}
	return 0;
}

struct walk {
	struct dt_context_attribute *a;
	dt_u64 at, end, number, most;
};

/* Handles one attribute. */
static long next_attribute(dt_u32 i, struct walk *w)
{
	dt_u64 at = w->at, size;
	dt_u8 head[2];

	(void)i;
	DT_OPAQUE(at);
	if (at + sizeof(head) > w->end || bpf_probe_read_user(head, sizeof(head), (const void *)at))
		return 1;
	size = head[1];
	at += sizeof(head);
	if (head[0] == w->number) {
		if (at + size > w->end)
			return 1;
		if (size > w->most)
			size = w->most;
		DT_OPAQUE(size); /* keeps the compiler from removing the mask, which the verifier of kernel 6.1 needs */
		bpf_probe_read_user(w->a->value, size & (DT_CONTEXT_VALUE - 1), (const void *)at);
		return 1;
	}
	w->at = DT_UNKNOWN(at + size);
	return 0;
}

/* Stores the value of an attribute as text in a->value, at most `most` bytes, or "" if the attribute does not exist.
 * The caller passes the digest of the attribute's name, and sets the first three members of a->context. Returns not
 * 0 if dt_contexts.wanted contains a new entry. */
DT_EXPORT dt_u64 dt_context_attribute(struct dt_context_attribute *a, dt_u64 name, dt_u64 most)
{
	struct walk walk = {a, 0, 0, DT_CONTEXT_NAMES, most};
	const struct dt_context_process *process;
	dt_u64 at, size;

	if (!a)
		return 0;
	for (int i = 0; i < (int)sizeof(a->value); i += 8)
		*(dt_u64 *)(a->value + i) = 0;
	process = place(&a->context);
	if (!process || !a->context.place)
		return a->context.wants;
	at = word_of_user(a->context.place);
	if (!has_record(&a->context, at))
		return 0;
	for (int i = 0; i < DT_CONTEXT_NAMES; i++)
		if (process->names[i] == name) {
			walk.number = i;
			break;
		}
	walk.number = DT_UNKNOWN(walk.number);
	if (walk.number >= DT_CONTEXT_NAMES) /* requests an examination, because the process may have published more names
                                         since the last one */
		return want(a->context.process, 0);
	size = a->context.record[3] >> 16 & 0xffff;
	if (size > DT_CONTEXT_ATTRIBUTES)
		size = DT_CONTEXT_ATTRIBUTES;
	walk.at = DT_UNKNOWN(at + HEAD);
	walk.end = at + HEAD + size;
	DT_LOOP(DT_CONTEXT_ATTRIBUTES / 2, DT_CONTEXT_ATTRIBUTES / 2, next_attribute, &walk, &walk.at);
	return 0;
}
