/* Runtimes whose frames are in an array that grows to lower addresses (DT_BY_CONTROL_FRAME): finds the execution
 * context of the thread, the methods of its control frames, and their names, files and lines. The objects are Ruby's
 * (struct dt_control_layout).
 *
 * A method in C has no file. As in the stacks that Ruby prints, its frame gets the file and line of the call, which are
 * those of the next frame of a Ruby method. So frames of methods in C wait until that frame is found. */
#ifndef DT_CONTROL_FRAMES_H
#define DT_CONTROL_FRAMES_H

#include "bpf-runtime/interpreter_abi.h"
#include "bpf-runtime/runtime.h"

/* Layout of objects that has not changed since Ruby 2.7. User space checks the version. */
#define MAX_CONTROL_FRAMES 8192
#define MAX_CONTROL_STACK (1 << 22) /* maximum number of words in a stack of values */
#define TYPE_OF_VALUE 0x1f          /* bits of an object's flags */
#define TEXT_VALUE 5                /* T_STRING */
#define ARRAY_VALUE 7               /* T_ARRAY */
#define INTERNAL_VALUE 0x1a         /* T_IMEMO; the kind of the object is in the bits after FIRST_OWN_FLAG */
#define FIRST_OWN_FLAG 12
#define INTERNAL_VARIABLES (INTERNAL_VALUE | 2 << FIRST_OWN_FLAG) /* imemo_svar */
#define INTERNAL_METHOD (INTERNAL_VALUE | 6 << FIRST_OWN_FLAG)    /* imemo_ment */
#define INTERNAL_CODE (INTERNAL_VALUE | 7 << FIRST_OWN_FLAG)      /* imemo_iseq */
#define KIND_OF_INTERNAL (TYPE_OF_VALUE | 15 << FIRST_OWN_FLAG)
#define TEXT_IS_ELSEWHERE 0x2000 /* RSTRING_NOEMBED */
#define ARRAY_IS_EMBEDDED 0x2000 /* RARRAY_EMBED_FLAG */
#define TEXT_LENGTH 14           /* position of the lowest bit of the length, for texts whose flags contain the
                                    length */
#define TEXT_ENCODING 22         /* first of 7 bits */
#define FRAME_ENDS_RUN 0x20      /* VM_FRAME_FLAG_FINISH */
#define TYPE_OF_FRAME 0x7fff0001
#define FRAME_IN_C 0x55550001 /* VM_FRAME_MAGIC_CFUNC */
#define NAMES_OF_ARRAY 512    /* ID_ENTRY_UNIT: number of names per array; each name has two elements */
#define KIND_OF_NAME 4        /* number of low bits of an id that are not part of the name's number (ID_SCOPE_SHIFT) */
enum { CONTROL_STACK, CONTROL_STACK_SIZE, CONTROL_FRAME };
enum { FRAME_INSTRUCTION, FRAME_CODE = 2, FRAME_VARIABLES = 4 };
enum { VARIABLES_METHOD, VARIABLES_FLAGS = 2 };
enum { BODY_SIZE, BODY_INSTRUCTIONS, BODY_FILE = 8, BODY_NAME = 10 }; /* the size is in the high half of the word */
#define BODY_BYTES 152
enum { ARRAY_ELEMENTS = 2, ARRAY_POINTER = 4, METHOD_NAME = 4 };

/* Layout of the table that maps instructions to lines (struct succ_index_table). It begins with 7-bit numbers for the
 * first positions, 9 numbers in a word. Blocks of 512 bits follow. Each block also contains the number of bits that are
 * set before it. */
#define FIRST_POSITIONS 54
#define BLOCK_POSITIONS 512
#define BLOCK_BYTES 80

/* Starts walking the frames of the execution context at `at`. Returns 0 if there is no context at this address. */
DT_INLINE dt_u64 begin_control_frames(struct search *s, dt_u64 at)
{
	struct dt_control_walk *c = &s->m->control;
	dt_u64 size;

	s->m->frame = 1; /* 0 will mean that all frames were visited */
	c->waiting = c->waiting_end = c->runs_end = c->names_waiting = c->is_last = 0;
	c->start = c->end = 0;
	if (!at || read_memory(c->code, 24, at))
		return 0;
	c->at = c->code[CONTROL_FRAME];
	size = c->code[CONTROL_STACK_SIZE];
	if (size <= MAX_CONTROL_STACK && size * 8 >= s->of->control.frame_size) {
		c->start = c->code[CONTROL_STACK];
		c->end = c->start + size * 8 - s->of->control.frame_size; /* the outermost frame belongs to no method */
	}
	return 1;
}

DT_INLINE dt_u64 find_control_frames(struct search *s)
{
	struct dt_mixed *m = s->m;

	if (!m->thread_base || read_memory(&m->interpreter, 8, interpreter_pointer(s) + s->of->control.pointer_offset))
		return 0;
	return begin_control_frames(s, m->interpreter);
}

DT_INLINE dt_u64 has_kind(dt_u64 flags, dt_u64 kind)
{
	return (flags & KIND_OF_INTERNAL) == kind;
}

/* Finds the bytes of a text. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_value_text(struct search *s, dt_u64 value)
{
	struct dt_control_walk *c = &s->m->control;
	struct dt_function *f = &s->m->function;
	dt_u64 embedded = s->of->control.text_embedded;

	if (!value || value & 7)
		return DT_UNNAMED_BUILD;
	if (read_memory(c->text, sizeof(c->text), value))
		return DT_UNNAMED_UNREADABLE;
	if ((c->text[0] & TYPE_OF_VALUE) != TEXT_VALUE)
		return DT_UNNAMED_BUILD;
	f->text_form = c->text[0] >> TEXT_ENCODING & 0x7f;
	f->text_bytes = c->text[2];
	f->text_at = c->text[3];
	if (!(c->text[0] & TEXT_IS_ELSEWHERE)) {
		f->text_at = value + embedded;
		if (embedded == ARRAY_ELEMENTS * 8)
			f->text_bytes = c->text[0] >> TEXT_LENGTH & 0x1f;
	}
	return f->text_bytes > MAX_NAME ? DT_UNNAMED_BUILD : 0;
}

/* Finds the name of a method and adds it to the key. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_method_name(struct search *s, dt_u64 value)
{
	struct dt_control_walk *c = &s->m->control;
	struct dt_function *f = &s->m->function;
	dt_u64 reason = find_value_text(s, value);

	if (reason)
		return reason;
	c->name = f->text_bytes | f->text_form << 32;
	c->name_at = f->text_at;
	return digest_chars(s->m) ? DT_UNNAMED_UNREADABLE : 0;
}

/* Finds the file name of a method's code, which is a text, or the first element of an array. Returns 0 or a reason
 * (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_method_file(struct search *s, dt_u64 value)
{
	struct dt_control_walk *c = &s->m->control;
	struct dt_function *f = &s->m->function;
	dt_u64 reason;

	if (!value || value & 7)
		return DT_UNNAMED_BUILD;
	if (read_memory(c->text, 24, value))
		return DT_UNNAMED_UNREADABLE;
	if ((c->text[0] & TYPE_OF_VALUE) == ARRAY_VALUE && c->text[0] & ARRAY_IS_EMBEDDED)
		value = c->text[ARRAY_ELEMENTS];
	reason = find_value_text(s, value);
	if (reason)
		return reason;
	c->file = f->text_bytes | f->text_form << 32;
	c->file_at = f->text_at;
	return 0;
}

/* Adds the file name that was found last to the key. Returns not 0 if it cannot be read. */
DT_INLINE long digest_file(struct search *s)
{
	struct dt_control_walk *c = &s->m->control;
	struct dt_function *f = &s->m->function;

	f->text_bytes = (dt_u32)c->file;
	f->text_form = c->file >> 32;
	f->text_at = c->file_at;
	return digest_chars(s->m);
}

DT_INLINE dt_u64 count_bits(dt_u64 word)
{
	word -= word >> 1 & 0x5555555555555555;
	word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
	return ((word + (word >> 4) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101) >> 56;
}

/* Returns the 1-based index in the table of lines for the instruction at a position; 0 if it cannot be read. */
DT_INLINE dt_u64 index_of_line(struct dt_control_walk *c, dt_u64 table, dt_u64 position)
{
	dt_u64 word = 0, block, part;

	if (position < FIRST_POSITIONS) {
		read_memory(&word, 8, table + position / 9 * 8);
		return word >> position % 9 * 7 & 0x7f;
	}
	position -= FIRST_POSITIONS;
	block = table + FIRST_POSITIONS / 9 * 8 + position / BLOCK_POSITIONS * BLOCK_BYTES;
	part = position % BLOCK_POSITIONS / 64;
	if (read_memory(c->rank, 16, block) || read_memory(&word, 8, block + 16 + part * 8))
		return 0;
	word = count_bits(word << (63 - position % 64));
	if (part)
		word += c->rank[1] >> (part - 1) * 9 & 0x1ff;
	return word + (dt_u32)c->rank[0];
}

/* Sets c->line to the line of the current instruction; the frame points to the instruction after it. Returns 0 or a
 * reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_method_line(struct search *s)
{
	const struct dt_control_layout *l = &s->of->control;
	struct dt_control_walk *c = &s->m->control;
	dt_u64 position = c->frame[FRAME_INSTRUCTION] - c->body[BODY_INSTRUCTIONS];
	dt_u64 lines = c->body[l->lines >> 3 & 31], table = c->body[l->lines_index >> 3 & 31];
	dt_u64 count = (dt_u32)c->body[l->lines_count >> 3 & 31], index = 1;
	dt_u32 line = 0;

	if (position & 7 || position >> 3 > c->body[BODY_SIZE] >> 32)
		return DT_UNNAMED_BUILD;
	position >>= 3;
	position -= position > 0;
	c->line = 0;
	if (!count)
		return 0;
	if (count > 1)
		index = index_of_line(c, table, position);
	if (index - 1 >= count)
		return DT_UNNAMED_BUILD;
	if (read_memory(&line, 4, lines + (index - 1) * l->line_size))
		return DT_UNNAMED_UNREADABLE;
	c->line = line;
	return line >> 31 ? DT_UNNAMED_BUILD : 0;
}

/* Captures the method. Returns its index in DT_MAP_INTERPRETER_TEXTS, or 0 if there is no room. */
DT_INLINE dt_u32 keep_method(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_control_walk *c = &m->control;
	struct dt_code_key key;
	dt_u32 position = 0;
	struct dt_code *code = new_code(m, &position);

	if (!code)
		return 0;
	m->head[DT_METHOD_FORM] = c->form;
	m->head[DT_METHOD_NAME] = c->name;
	m->head[DT_METHOD_FILE] = c->file;
	bpf_probe_read_kernel(code->head, DT_METHOD_WORDS * 8, m->head);
	code->got[0] = capture(code->name, DT_CODE_NAME - 1, (dt_u32)c->name, c->name_at);
	code->got[1] = capture(code->file, DT_CODE_FILE - 1, (dt_u32)c->file, c->file_at);
	code->got[2] = 0;
	key = m->key; /* copied to the stack, because verifiers before 6.2 do not accept keys in memory of a caller */
	bpf_map_update_elem(&interpreter_codes, &key, &position, 0);
	return position;
}

/* Returns the word for a frame of the method that m->key identifies. */
DT_INLINE dt_u64 method_word(struct search *s, dt_u64 reason)
{
	struct dt_code_key key;
	const dt_u32 *known;
	dt_u32 position;

	if (!reason && digest_file(s))
		reason = DT_UNNAMED_UNREADABLE;
	if (reason)
		return DT_INTERPRETER_WORD(0, reason | s->of->kind << 8);
	key = s->m->key;
	known = bpf_map_lookup_elem(&interpreter_codes, &key);
	position = known ? *known : keep_method(s);
	return DT_INTERPRETER_WORD(position, position ? s->m->control.line : DT_UNNAMED_ROOM | s->of->kind << 8);
}

DT_INLINE void begin_key(struct search *s, dt_u64 code, dt_u64 form)
{
	struct dt_mixed *m = s->m;

	m->control.form = form;
	m->key.code = code;
	m->key.process = m->walk.process;
	m->key.kind = s->of->kind;
	m->key.digest = form;
}

/* Finds name, file and line for the frame of a Ruby method. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_ruby_method(struct search *s)
{
	struct dt_control_walk *c = &s->m->control;
	dt_u64 reason;

	c->file = c->file_at = c->line = 0;
	if (read_memory(c->code, 24, c->frame[FRAME_CODE]))
		return DT_UNNAMED_UNREADABLE;
	if (!has_kind(c->code[0], INTERNAL_CODE))
		return DT_UNNAMED_BUILD;
	if (read_memory(c->body, BODY_BYTES, c->code[2]))
		return DT_UNNAMED_UNREADABLE;
	begin_key(s, c->code[2], DT_METHOD_IN_RUBY);
	reason = find_method_line(s);
	if (!reason)
		reason = find_method_name(s, c->body[BODY_NAME]);
	return reason ? reason : find_method_file(s, c->body[BODY_FILE]);
}

/* Reads an element of an array, and copies the beginning of the element to c->text. Returns 0 if there is none. */
DT_INLINE dt_u64 element_of(struct dt_control_walk *c, dt_u64 array, dt_u64 index)
{
	dt_u64 at;

	if (!array || array & 7 || read_memory(c->text, sizeof(c->text), array) ||
	    (c->text[0] & TYPE_OF_VALUE) != ARRAY_VALUE)
		return 0;
	at = c->text[0] & ARRAY_IS_EMBEDDED ? array + ARRAY_ELEMENTS * 8 : c->text[ARRAY_POINTER];
	return read_memory(&at, 8, at + index * 8) ? 0 : at;
}

/* Finds the name of the method in C whose entry is at `at`. Returns 0 or a reason (DT_UNNAMED_…). */
DT_INLINE dt_u64 find_c_method(struct search *s, dt_u64 at)
{
	struct dt_control_walk *c = &s->m->control;
	dt_u64 number, names;

	if (read_memory(c->code, 24, at))
		return DT_UNNAMED_UNREADABLE;
	if (has_kind(c->code[0], INTERNAL_VARIABLES) && read_memory(c->code, 24, c->code[1]))
		return DT_UNNAMED_UNREADABLE;
	if (!has_kind(c->code[0], INTERNAL_METHOD))
		return DT_UNNAMED_BUILD;
	if (read_memory(&number, 8, c->code[2] + METHOD_NAME * 8) || read_memory(&names, 8, s->of->control.names))
		return DT_UNNAMED_UNREADABLE;
	begin_key(s, number, DT_METHOD_IN_C);
	if (number > s->of->control.last_operator)
		number >>= KIND_OF_NAME;
	names = element_of(c, names, number / NAMES_OF_ARRAY);
	return find_method_name(s, element_of(c, names, number % NAMES_OF_ARRAY * 2));
}

/* Names the next waiting frame of a method in C, whose caller is now known. */
DT_INLINE void name_waiting(struct search *s)
{
	struct dt_mixed *m = s->m;
	dt_u64 at = m->control.waiting;

	m->control.waiting = at + 1;
	DT_OPAQUE(at);
	at &= DT_UNWIND_FRAMES - 1;
	m->found[at] = method_word(s, find_c_method(s, m->frames[at]));
}

/* Adds the word for the frame in c->frame to the result. */
DT_INLINE void add_control_frame(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_control_walk *c = &m->control;
	dt_u64 at = m->found_count, flags = c->variables[VARIABLES_FLAGS];

	if (c->frame[FRAME_CODE] && c->frame[FRAME_INSTRUCTION]) {
		found_word(m, method_word(s, find_ruby_method(s)));
		c->names_waiting = 1;
		if (flags & FRAME_ENDS_RUN) {
			found_word(m, RUN_END);
			m->runs++;
			c->runs_end = m->found_count;
		}
	} else if (!c->frame[FRAME_CODE] && (flags & TYPE_OF_FRAME) == FRAME_IN_C && s->of->control.names) {
		if (c->waiting == c->waiting_end)
			c->waiting = at;
		DT_OPAQUE(at);
		m->frames[at & (DT_UNWIND_FRAMES - 1)] = c->variables[VARIABLES_METHOD];
		found_word(m, DT_INTERPRETER_WORD(0, DT_UNNAMED_ROOM | s->of->kind << 8));
		c->waiting_end = at + 1;
	}
}

/* Visits the next frame, or names a waiting frame of a method in C. */
static long visit_control_frame(dt_u32 n, struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_control_walk *c = &m->control;
	dt_u64 reason;

	if (c->names_waiting) {
		if (c->waiting < c->waiting_end) {
			name_waiting(s);
			return 0;
		}
		c->names_waiting = 0;
		if (c->is_last)
			return 1;
	}
	if (m->found_count >= DT_UNWIND_FRAMES || c->at == c->end) {
		m->frame = c->at != c->end;
		c->file = c->file_at = c->line = 0;
		c->names_waiting = c->is_last = 1;
		return 0;
	}
	reason = c->at - c->start >= c->end - c->start || (c->end - c->at) % s->of->control.frame_size
	                 ? DT_UNNAMED_BUILD
	                 : 0;
	if (!reason && (read_memory(c->frame, sizeof(c->frame), c->at) ||
	                read_memory(c->variables, sizeof(c->variables), c->frame[FRAME_VARIABLES] - 16)))
		reason = DT_UNNAMED_UNREADABLE;
	if (reason) {
		found_word(m, DT_INTERPRETER_WORD(0, reason | s->of->kind << 8));
		c->file = c->file_at = c->line = 0;
		c->names_waiting = c->is_last = 1;
		return 0;
	}
	add_control_frame(s);
	c->at += s->of->control.frame_size;
	return 0;
}

#endif
