/* jstack() for interpreted programs: replaces the interpreter's own frames by the frames of the program.
 *
 * A frame of the interpreter's loop in the native stack stands for a run: the frames of the program that this call of
 * the loop executes, which are in a list. User space describes the list (struct dt_interpreter). The code here finds
 * the current thread, reads its runs, and rewrites the native stack. A frame becomes one word: the position of its code
 * object in a map, and the instruction. When a code object is first met, its name, file and line table are copied to
 * that map, because the process may have ended when the stack is printed.
 *
 * The process may reuse the memory of a code object for another one. So a code object is identified by its address and
 * by a digest of its pointers and texts.
 *
 * All addresses come from the memory of the process and may be wrong. So each read may fail, each loop has a limit, and
 * an object is accepted as a code object only if it has the type of code objects. */
#include "bpf-runtime/interpreter_abi.h"
#include "bpf-runtime/runtime.h"

#ifdef DT_PLAIN_KERNEL

/* kernels without bpf_loop(): the native stack stays as it is */
DT_HIDDEN dt_u64 dt_interpreter_frames(struct dt_mixed *mixed, dt_u64 most)
{
	return 0;
}

DT_HIDDEN dt_u64 dt_all_interpreter_frames(struct dt_mixed *mixed, dt_u64 most)
{
	return 0;
}

#else

#define MAX_THREADS 1024
#define ID_DISTANCE 4096 /* a thread's id is its base address, or on some machines an address up to this many bytes
                            below */
#define RUN_END 1
#define LEFT_OUT 0 /* value of the word for a frame that is not shown */
#define DIGEST_FACTOR 0x9e3779b97f4a7c15
#define DIGEST_WORDS 8   /* number of words of a text that the digest covers */
#define MAX_HEAD_WORDS 4 /* maximum distance in words between a text's length and its bytes */
#define NO_INSTRUCTION 0xffffffff

struct {
	MAP(type, 1); /* BPF_MAP_TYPE_HASH */
	MAP(max_entries, DT_INTERPRETERS);
	dt_u32 *key;
	struct dt_interpreter *value;
} interpreters __attribute__((section(".maps"), used, weak)); /* weak, because code_cache.h defines the same map */

struct {
	MAP(type, 1); /* BPF_MAP_TYPE_HASH */
	MAP(max_entries, DT_CODES);
	struct dt_code_key *key;
	dt_u32 *value;
} interpreter_codes __attribute__((section(".maps"), used));

struct {
	MAP(type, 2); /* BPF_MAP_TYPE_ARRAY */
	MAP(max_entries, DT_CODES);
	MAP(map_flags, 1 << 10); /* BPF_F_MMAPABLE */
	dt_u32 *key;
	struct dt_code *value;
} interpreter_texts __attribute__((section(".maps"), used));

struct {
	MAP(type, 2); /* BPF_MAP_TYPE_ARRAY */
	MAP(max_entries, 1);
	MAP(map_flags, 1 << 10); /* BPF_F_MMAPABLE */
	dt_u32 *key;
	struct dt_interpreter_counts *value;
} interpreter_counts __attribute__((section(".maps"), used));

struct search {
	struct dt_mixed *m;
	const struct dt_interpreter *of;
};

DT_INLINE long read_memory(void *to, dt_u32 size, dt_u64 at)
{
	return bpf_probe_read_user(to, size, (const void *)at);
}

/* Copies the start of an object of unknown size, at most `most` bytes (a power of two minus 1). If the first read
 * fails, because the object ends near the end of readable memory, copies only the bytes up to the end of the page.
 * Returns the number of bytes. */
DT_INLINE dt_u32 read_object(void *to, dt_u32 size, dt_u64 most, dt_u64 at)
{
	dt_u64 first = 4096 - (at & 4095);

	if (!read_memory(to, size, at))
		return size;
	if (first > most)
		first = most;
	DT_OPAQUE(first);
	first &= most; /* a bound that verifiers still know after the value was spilled to the stack */
	return read_memory(to, first, at) ? 0 : first;
}

/* Sets `frame` to the innermost frame of the thread at `thread`, or to 0 if the thread has no frame. */
DT_INLINE void read_frame(struct search *s)
{
	struct dt_mixed *m = s->m;
	dt_u64 at;

	if (!read_memory(&m->frame, 8, m->thread + s->of->frame_of_thread) && m->frame && s->of->flags & DT_BY_RUN) {
		at = m->frame;
		read_memory(&m->frame, 8, at + s->of->frame_of_run);
	}
}

static long visit_thread(dt_u32 n, struct search *s)
{
	struct dt_mixed *m = s->m;
	dt_u64 id = 0;

	if (!m->thread) {
		if (!m->interpreter || read_memory(&m->thread, 8, m->interpreter + s->of->first_thread) ||
		    read_memory(&m->interpreter, 8, m->interpreter + s->of->next_interpreter))
			return 1;
		return 0;
	}
	if (read_memory(&id, 8, m->thread + s->of->thread_id))
		return 1;
	/* Up to CPython 3.11, a thread that is being created has the id of its creator, and no frame. */
	if (m->thread_base - id < ID_DISTANCE) {
		m->is_known = 1;
		read_frame(s);
		if (m->frame)
			return 1;
	}
	return read_memory(&m->thread, 8, m->thread + s->of->next_thread) != 0;
}

DT_INLINE dt_u64 mixed_digest(dt_u64 digest, dt_u64 word)
{
	digest = (digest ^ word) * DIGEST_FACTOR;
	return digest ^ digest >> 29;
}

/* Copies a text, including the length before it. One read is usually enough; it fails near the end of readable
 * memory. Returns not 0 if the text cannot be read. */
DT_INLINE long read_text(struct dt_mixed *m, dt_u64 at, dt_u64 data)
{
	dt_u64 length = 0;

	if (!read_memory(m->text, (MAX_HEAD_WORDS + DIGEST_WORDS) * 8, at))
		return 0;
	if (read_memory(&length, 8, at))
		return 1;
	m->text[0] = length;
	DT_OPAQUE(length);
	if (length > DIGEST_WORDS * 8)
		length = DIGEST_WORDS * 8;
	return read_memory((char *)m->text + data * 8, length, at + data * 8);
}

DT_INLINE dt_u64 head_word(const struct dt_mixed *m, dt_u32 offset)
{
	return m->head[offset >> 3 & (DT_CODE_HEAD / 8 - 1)];
}

/* Copies the first bytes of a text that does not contain its length, and sets the bytes after them to 0. Returns not 0
 * if the text cannot be read. */
DT_INLINE long read_uncounted(struct search *s, int which, dt_u64 at)
{
	struct dt_mixed *m = s->m;
	dt_u32 length_at = s->of->text_length[which];
	volatile dt_u64 *words = m->text;
	dt_u64 size;

#pragma unroll
	for (int i = 0; i < DIGEST_WORDS; i++)
		words[i] = 0;
	if (s->of->text_form[which] == DT_TEXT_IS_TERMINATED)
		return bpf_probe_read_user_str(m->text, DIGEST_WORDS * 8, (const void *)(at + s->of->text_data[which])) < 0;
	size = (dt_u32)(head_word(m, length_at) >> (length_at & 4) * 8);
	DT_OPAQUE(size);
	if (size > DIGEST_WORDS * 8)
		size = DIGEST_WORDS * 8;
	return read_memory(m->text, size, at);
}

/* Reads the length and the first bytes of a text. Sets `length` to the text's length (0 if the text does not contain
 * it), and `sum` to a digest of the bytes. Returns not 0 if the text cannot be read. */
DT_INLINE long sum_text(struct search *s, int which, dt_u64 at, dt_u64 *length, dt_u64 *sum)
{
	struct dt_mixed *m = s->m;
	dt_u64 data = (s->of->text_data[which] - s->of->text_length[which]) >> 3, left = DIGEST_WORDS * 8;

	*sum = *length = 0;
	if (s->of->text_form[which] != DT_TEXT_IS_COUNTED) {
		if (read_uncounted(s, which, at))
			return 1;
		data = 0;
	} else {
		if (data > MAX_HEAD_WORDS || read_text(m, at + s->of->text_length[which], data))
			return 1;
		*length = m->text[0];
		if (*length < left)
			left = *length;
	}
	DT_OPAQUE(data);
	data &= DT_TEXT_WORDS - DIGEST_WORDS - 1; /* a bound that verifiers still know after the value was spilled to the
                                              stack */
#pragma unroll
	for (int i = 0; i < DIGEST_WORDS; i++) {
		dt_u64 bytes = left > 8 ? 8 : left, word = m->text[data + i];

		/* The digest covers only bytes of the text, because the memory after it may change. */
		*sum += (bytes ? word << (64 - bytes * 8) : 0) * (DIGEST_FACTOR * (2 * i + 1));
		left -= bytes;
	}
	return 0;
}

/* Adds the pointer to a text, its length and its first bytes to the digest. Reuses the last result if the text is
 * the same, because most frames have the same file as the frame before. Returns not 0 if the text is unreadable. */
DT_INLINE long digest_text(struct search *s, int which)
{
	struct dt_mixed *m = s->m;
	dt_u64 at = head_word(m, s->of->texts[which]), length, sum;
	dt_u64 digest = mixed_digest(m->key.digest, at);

	m->texts[which] = at;
	if (!at && s->of->kinds)
		return 0;
	if (s->of->text_pointer[which]) {
		if (read_memory(&m->texts[which], 8, at + s->of->text_pointer[which]))
			return 1;
		at = m->texts[which];
	}
	if (which == 1 && at && at == m->last_file) {
		length = m->last_file_length;
		sum = m->last_file_sum;
	} else if (sum_text(s, which, at, &length, &sum)) {
		return 1;
	}
	if (which == 1) {
		m->last_file = at;
		m->last_file_length = length;
		m->last_file_sum = sum;
	}
	m->key.digest = mixed_digest(mixed_digest(digest, length), sum);
	return 0;
}

/* Returns a new element of DT_MAP_INTERPRETER_TEXTS for m->key, or null if there is no room. */
DT_INLINE struct dt_code *new_code(struct dt_mixed *m, dt_u32 *position)
{
	struct dt_interpreter_counts *counts;
	struct dt_code *code;
	dt_u32 first = 0;
	dt_u64 used;

	counts = bpf_map_lookup_elem(&interpreter_counts, &first);
	if (!counts)
		return 0;
	used = counts->used;
	if (used >= DT_CODES - 1) {
		counts->full++;
		return 0;
	}
	*position = __sync_fetch_and_add(&counts->used, 1) + 1;
	code = bpf_map_lookup_elem(&interpreter_texts, position);
	if (!code)
		return 0;
	code->code = m->key.code;
	code->process = m->key.process;
	code->kind = m->key.kind;
	return code;
}

/* Captures the code object in m->head and its texts. Returns its index in DT_MAP_INTERPRETER_TEXTS, or 0 if there is
 * no room. */
DT_INLINE dt_u32 keep_code(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_code_key key;
	dt_u32 position = 0;
	struct dt_code *code = new_code(m, &position);

	if (!code)
		return 0;
	bpf_probe_read_kernel(code->head, DT_CODE_HEAD, m->head);
	code->got[0] = read_object(code->name, DT_CODE_NAME, DT_CODE_NAME - 1, m->texts[0]);
	code->got[1] = read_object(code->file, DT_CODE_FILE, DT_CODE_FILE - 1, m->texts[1]);
	code->got[2] = read_object(code->table, DT_CODE_TABLE, 2047, m->texts[2]);
	key = m->key; /* copied to the stack, because verifiers before 6.2 do not accept keys in memory of a caller */
	bpf_map_update_elem(&interpreter_codes, &key, &position, 0);
	return position;
}

DT_INLINE dt_u64 is_in(const struct dt_address_range *ranges, dt_u64 pc)
{
	dt_u64 found = 0;

#pragma unroll
	for (int i = 0; i < DT_INTERPRETER_RANGES; i++)
		found |= pc - ranges[i].start < ranges[i].end - ranges[i].start;
	return found;
}

/* Returns the line of the instruction at `at`, which belongs to the code object in m->head; 0 if it is not an
 * instruction of this object. */
DT_INLINE dt_u64 line_of_instruction(struct search *s, dt_u64 at)
{
	struct dt_mixed *m = s->m;
	const struct dt_interpreter *of = s->of;
	dt_u64 count = (dt_u32)(head_word(m, of->code_length) >> (of->code_length & 4) * 8);
	dt_u32 line = 0;

	if (!m->found_count && is_in(of->loop, m->walk.frames[0])) {
		if (!(of->flags & DT_REGISTER_HAS_INSTRUCTION))
			return 0; /* the loop writes the address of the instruction to the frame only before calls */
		at = m->last_kept;
	}
	if (at - head_word(m, of->code_instructions) >= count * of->instruction_size ||
	    read_memory(&line, 4, at + of->instruction_line))
		return 0;
	return line;
}

/* Sets `low` to the offset or the line of the frame's instruction. Sets `length` to a number that depends on the extent
 * of the code object in m->head; it becomes part of the object's key. Returns 0, or a reason why the frame has no name
 * (DT_UNNAMED_…). */
DT_INLINE dt_u32 find_instruction(struct search *s, dt_u64 *low, dt_u64 *length)
{
	struct dt_mixed *m = s->m;
	const struct dt_interpreter *of = s->of;
	dt_u64 at = m->block[of->instruction >> 3 & (DT_FRAME_WORDS - 1)];

	if (of->flags & DT_INSTRUCTION_HAS_LINE) {
		/* copies of a code object share their instructions */
		m->key.code = head_word(m, of->code_instructions);
		*low = line_of_instruction(s, at);
		*length = head_word(m, of->code_lines);
		return 0;
	}
	if (of->flags & DT_INSTRUCTIONS_APART) {
		*length = (dt_u64)(dt_u32)(head_word(m, of->code_length) >> (of->code_length & 4) * 8) *
		          of->instruction_size;
		*low = at - head_word(m, of->code_instructions) - of->instruction_size;
		if (*low >= *length || *low >> 31 || !m->states.is_saved)
			*low = NO_INSTRUCTION;
		*length = mixed_digest(*length, head_word(m, of->code_lines));
		return 0;
	}
	if (of->flags & DT_INSTRUCTION_IS_INDEX) {
		*low = (long long)(int)(at >> (of->instruction & 4) * 8) * of->instruction_size;
		if (read_memory(length, 8, head_word(m, of->code_instructions) + of->code_length))
			return DT_UNNAMED_UNREADABLE;
	} else {
		*low = at - (m->key.code + of->code_instructions);
		*length = head_word(m, of->code_length) * 2;
	}
	/* a frame that has not begun points to the two bytes before its first instruction, so `low` may be -2 */
	return *length > 1 << 30 || *low + 2 > *length ? DT_UNNAMED_BUILD : 0;
}

/* Follows a pointer on the way from a frame to its code object. Returns the address of the next object, or 0 if this
 * object has another type than expected. */
DT_INLINE dt_u64 follow_link(struct search *s, int which, dt_u64 at)
{
	const struct dt_code_link *link = s->of->links + which;
	const dt_u64 *words = s->m->link;

	if (read_memory(s->m->link, sizeof(s->m->link), at) ||
	    (words[link->type_at >> 3 & 3] >> (link->type_at & 7) * 8 & 0xff) != link->type)
		return 0;
	return words[link->pointer >> 3 & 3];
}

/* Finds the code object to which `links` lead from the address `at`. Returns 0 if an object on the way has another
 * type than expected. */
DT_INLINE dt_u64 follow_links(struct search *s, dt_u64 at)
{
	struct dt_mixed *m = s->m;

	at = follow_link(s, 0, at);
	if (s->of->link_count == 1)
		return at;
	if (at != m->last_link) {
		m->last_linked = follow_link(s, 1, at);
		m->last_link = at;
	}
	return m->last_linked;
}

/* Returns the word for the frame in m->block, or LEFT_OUT. */
DT_INLINE dt_u64 frame_word(struct search *s)
{
	struct dt_mixed *m = s->m;
	const struct dt_interpreter *of = s->of;
	dt_u64 code = m->block[of->code_of_frame >> 3 & (DT_FRAME_WORDS - 1)] & of->pointer_mask;
	dt_u64 instruction = 0, length = 0, kind;
	dt_u32 size = of->code_size, position, reason;
	struct dt_code_key key;
	const dt_u32 *known;

	DT_OPAQUE(size);
	if (size > DT_CODE_HEAD)
		size = DT_CODE_HEAD;
	m->key.code = code;
	if (of->link_count) {
		code = follow_links(s, code);
		m->key.code = code;
		if (!code)
			return DT_INTERPRETER_WORD(0, DT_UNNAMED_BUILD | of->kind << 8);
	}
	if (!code && of->kinds)
		return LEFT_OUT;
	if (code != m->last_code) {
		m->last_code = m->last_position = 0;
		if (read_memory(m->head, size, code))
			return DT_INTERPRETER_WORD(0, DT_UNNAMED_UNREADABLE | of->kind << 8);
		m->last_code = code;
	}
	kind = head_word(m, of->kind_at) >> (of->kind_at & 7) * 8 & 0xff;
	if (of->kinds && kind < 32 && of->left_out_kinds >> kind & 1)
		return LEFT_OUT;
	if (of->kinds ? kind >= 32 || !(of->kinds >> kind & 1) : m->head[1] != of->code_type)
		return DT_INTERPRETER_WORD(0, DT_UNNAMED_BUILD | of->kind << 8);
	reason = find_instruction(s, &instruction, &length);
	if (reason)
		return DT_INTERPRETER_WORD(0, reason | of->kind << 8);
	if (m->last_position)
		return DT_INTERPRETER_WORD(m->last_position, instruction);
	m->key.process = m->walk.process;
	m->key.kind = of->kind;
	m->key.digest = length;
	if (digest_text(s, 0) || digest_text(s, 1) || digest_text(s, 2))
		return DT_INTERPRETER_WORD(0, DT_UNNAMED_UNREADABLE | of->kind << 8);
	key = m->key;
	known = bpf_map_lookup_elem(&interpreter_codes, &key);
	position = known ? *known : keep_code(s);
	m->last_position = position;
	if (!position)
		return DT_INTERPRETER_WORD(0, DT_UNNAMED_ROOM | of->kind << 8);
	return DT_INTERPRETER_WORD(position, instruction);
}

DT_INLINE void found_word(struct dt_mixed *m, dt_u64 word)
{
	dt_u64 at = m->found_count;

	if (at >= DT_UNWIND_FRAMES)
		return;
	DT_OPAQUE(at);
	m->found[at & (DT_UNWIND_FRAMES - 1)] = word;
	m->found_count = at + 1;
}

#include "bpf-runtime/stacks/stack_states.h"

static long visit_frame(dt_u32 n, struct search *s)
{
	struct dt_mixed *m = s->m;
	const struct dt_interpreter *of = s->of;
	dt_u32 size = of->frame_size;
	dt_u64 ends, word, entry;

	DT_OPAQUE(size);
	if (size > sizeof(m->block))
		size = sizeof(m->block);
	if (m->found_count >= DT_UNWIND_FRAMES)
		return 1;
	if (!m->frame)
		return of->flags & DT_STATE_ON_STACK ? find_next_state(s) : 1;
	if (read_memory(m->block, size, m->frame)) {
		found_word(m, DT_INTERPRETER_WORD(0, DT_UNNAMED_UNREADABLE | of->kind << 8));
		return 1;
	}
	entry = m->block[of->entry >> 3 & (DT_FRAME_WORDS - 1)] >> (of->entry & 7) * 8;
	ends = of->flags & DT_EACH_IS_ENTRY || (entry & of->entry_mask) == of->entry_value;
	if (entry & of->left_out_mask) {
		ends = 0;
	} else if (!ends || of->flags & DT_ENTRY_IS_SHOWN) {
		word = frame_word(s);
		if (word == LEFT_OUT)
			ends = 0;
		else
			found_word(m, word);
	}
	if (ends && of->flags & DT_STATE_ON_STACK) {
		end_run_of_state(m);
	} else if (ends) {
		found_word(m, RUN_END);
		m->runs++;
	}
	m->states.is_saved = 1;
	m->frame = m->block[of->next_frame >> 3 & (DT_FRAME_WORDS - 1)];
	return 0;
}

DT_INLINE dt_u64 native_pc(const struct dt_mixed *m, dt_u64 n)
{
	return m->walk.frames[n & (DT_UNWIND_FRAMES - 1)] - (n ? 1 : 0);
}

DT_INLINE long put(struct dt_mixed *m, dt_u64 word)
{
	dt_u64 at = m->count;

	if (at >= DT_UNWIND_FRAMES || at >= m->most)
		return 1;
	DT_OPAQUE(at);
	m->frames[at & (DT_UNWIND_FRAMES - 1)] = word;
	m->count = at + 1;
	return 0;
}

#include "bpf-runtime/stacks/framed_functions.h"
#include "bpf-runtime/stacks/contexts.h"
#include "bpf-runtime/stacks/control_frames.h"
#include "bpf-runtime/stacks/java_methods.h"

DT_INLINE dt_u64 is_loop(struct search *s, dt_u64 n)
{
	return is_in(s->of->loop, native_pc(s->m, n)) && !(s->of->flags & DT_BY_CONTEXT && continues_run(s, n));
}

static long count_loops(dt_u32 n, struct search *s)
{
	if (n >= s->m->walk.count || n >= DT_UNWIND_FRAMES)
		return 1;
	if (is_loop(s, n)) {
		if (s->of->flags & DT_STATE_ON_STACK)
			keep_loop(s->m, n);
		s->m->loops++;
		s->m->contexts.has_main = runs_main(s, n);
	}
	return 0;
}

/* Adds the next word to the result: a frame of a run, or a word of the native stack. */
static long merge(dt_u32 n, struct search *s)
{
	struct dt_mixed *m = s->m;
	dt_u64 at = m->at, pc, word;

	if (m->in_run) {
		dt_u64 next = m->next;

		if (next >= m->found_count || next >= DT_UNWIND_FRAMES) {
			m->in_run = 0;
			return 0;
		}
		word = m->found[next & (DT_UNWIND_FRAMES - 1)];
		m->next = next + 1;
		if (word != RUN_END)
			return put(m, word);
		m->in_run = m->early > 0;
		m->early -= m->in_run;
		return 0;
	}
	if (at >= DT_UNWIND_FRAMES || at * 8 >= m->walk.bytes) { /* some runs may remain that are not assigned to a
                                                             frame of the native stack */
		m->in_run = m->next < m->found_count;
		m->remains |= m->in_run && !(s->of->flags & DT_BY_CONTROL_FRAME && m->next >= m->control.runs_end);
		return !m->in_run;
	}
	m->at = at + 1;
	word = m->walk.frames[at & (DT_UNWIND_FRAMES - 1)];
	pc = native_pc(m, at);
	if (is_loop(s, at)) {
		if (m->shows_own && put(m, word))
			return 1;
		if (m->loops > m->runs) { /* there is no run for the innermost loops: a run has not begun yet or has
                               already ended */
			word = m->reason ? DT_INTERPRETER_WORD(0, m->reason | s->of->kind << 8) : 0;
			m->loops--;
			m->reason = 0;
			return word && put(m, word);
		}
		m->in_run = 1;
		return 0;
	}
	return (m->shows_own || !is_in(s->of->own, pc)) && put(m, word);
}

/* Sets `frame` to the innermost frame of the current thread, or to 0 if the thread has no frame. Returns 0 if the
 * interpreter does not know the thread. */
DT_INLINE dt_u64 find_frame(struct search *s)
{
	struct dt_mixed *m = s->m;

	m->thread = m->frame = m->is_known = 0;
	if (s->of->flags & DT_BY_CONTEXT)
		return find_contexts(s);
	if (s->of->flags & DT_BY_CONTROL_FRAME && s->of->context.pointer != DT_POINTER_BY_THREAD)
		return find_control_frames(s);
	if (s->of->flags & DT_FRAME_IS_GLOBAL)
		return !read_memory(&m->frame, 8, s->of->head);
	if (!m->thread_base || read_memory(&m->interpreter, 8, s->of->head))
		return 0;
	bpf_loop(MAX_THREADS, visit_thread, s, 0);
	return s->of->flags & DT_BY_CONTROL_FRAME ? begin_control_frames(s, m->frame) : m->is_known;
}

DT_INLINE dt_u64 has_framed_functions(const struct dt_interpreter *of)
{
	return of->flags & DT_BY_FRAME_POINTER && !(of->flags & DT_UNKNOWN_BUILD);
}

/* Finds the interpreter of the process, and prepares the walk of its frames. Returns 0 if the process has no known
 * interpreter. */
DT_INLINE dt_u64 begin_stack(struct search *s, dt_u64 most)
{
	struct dt_mixed *m = s->m;
	dt_u32 key;

	if (!m)
		return 0;
	key = m->walk.process;
	s->of = bpf_map_lookup_elem(&interpreters, &key);
	if (!s->of)
		return 0;
	m->most = most;
	m->remains = m->next = m->early = 0;
	m->last_code = m->last_position = m->last_link = m->last_linked = m->last_file = 0;
	m->loops = m->runs = m->found_count = m->at = m->count = m->in_run = m->reason = 0;
	return 1;
}

/* Converts the native stack in mixed->walk, which the caller has walked, to a stack with frames of the interpreted
 * program in mixed->frames, at most `most` frames. Returns the number of bytes, or 0 if the process has no known
 * interpreter. The caller sets `thread_base` and `shows_own`. */
DT_EXPORT dt_u64 dt_interpreter_frames(struct dt_mixed *mixed, dt_u64 most)
{
	struct search s = {mixed, 0};
	dt_u64 first, ends;

	if (!begin_stack(&s, most) || has_framed_functions(s.of))
		return 0;
	if (s.of->flags & DT_BY_CODE_CACHE)
		return put_java_frames(&s);
	bpf_loop(DT_UNWIND_FRAMES, count_loops, &s, 0);
	first = mixed->walk.frames[0];
	ends = mixed->walk.bytes == mixed->walk.count * 8;
	if (s.of->flags & DT_UNKNOWN_BUILD) {
		mixed->reason = DT_UNNAMED_BUILD;
		mixed->shows_own = 1;
	} else if (s.of->flags & DT_STATE_ON_STACK) {
		begin_states(mixed);
		if (mixed->loops)
			bpf_loop(MAX_STATE_STEPS, visit_frame, &s, 0);
		if (!mixed->states.is_done)
			mixed->runs = mixed->loops;
	} else if (mixed->loops || !ends) {
		if (first - s.of->loop[0].start < s.of->beginning)
			mixed->reason = DT_UNNAMED_BEGINS;
		else if (!find_frame(&s))
			mixed->reason = DT_UNNAMED_THREAD;
		else if (s.of->flags & DT_BY_CONTEXT)
			bpf_loop(MAX_CONTEXTS, visit_context, &s, 0);
		else if (s.of->flags & DT_BY_CONTROL_FRAME)
			bpf_loop(MAX_CONTROL_FRAMES, visit_control_frame, &s, 0);
		else
			bpf_loop(2 * DT_UNWIND_FRAMES, visit_frame, &s, 0);
		/* Runs are assigned to loops from the outermost loop on. The innermost loop may have no run: it has not
		 * linked its first frame yet, or has ended its last frame. If the outermost part of the stack is
		 * missing, runs are assigned from the innermost loop on. */
		if (mixed->frame || !ends)
			mixed->runs = mixed->loops;
		else if (mixed->loops > mixed->runs + 1 && !mixed->reason)
			mixed->reason = DT_UNNAMED_BUILD;
		else if (s.of->flags & (DT_FRAME_IS_GLOBAL | DT_BY_CONTEXT | DT_BY_CONTROL_FRAME) &&
		         mixed->runs > mixed->loops) {
			mixed->early = mixed->runs - mixed->loops - 1; /* frames are linked to the list before the loop begins */
			mixed->in_run = 1;
		}
	}
	bpf_loop(4 * DT_UNWIND_FRAMES, merge, &s, 0);
	if (mixed->remains)
		put(mixed, DT_FRAMES_INCOMPLETE);
	mixed->bytes = mixed->count * 8;
	return DT_UNKNOWN(mixed->bytes);
}

/* Like dt_interpreter_frames(), but also for runtimes whose frames are native frames. A separate function, because
 * it takes more than half of the 512 bytes of stack that all functions of a call chain may have without
 * Features::separate_stacks. */
DT_EXPORT dt_u64 dt_all_interpreter_frames(struct dt_mixed *mixed, dt_u64 most)
{
	struct search s = {mixed, 0};

	if (!begin_stack(&s, most))
		return 0;
	if (!has_framed_functions(s.of))
		return dt_interpreter_frames(mixed, most);
	bpf_loop(DT_UNWIND_FRAMES, put_framed, &s, 0);
	mixed->bytes = mixed->count * 8;
	return DT_UNKNOWN(mixed->bytes);
}

#endif
