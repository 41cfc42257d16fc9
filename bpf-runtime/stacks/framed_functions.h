/* Runtimes whose frames are native frames with frame pointers (DT_BY_FRAME_POINTER): finds the function of such a frame
 * and captures its name, file and line. The objects are those of V8 (struct dt_function_layout). To support another
 * runtime, write a function like framed_word().
 *
 * A garbage collector moves objects, so no address identifies a function. The key of a captured function is a digest of
 * the contents that are printed for its frames. Types that the walk itself does not need are checked only when a
 * function is captured. While the collector moves an object, it replaces the object's map by the new address. */
#ifndef DT_FRAMED_FUNCTIONS_H
#define DT_FRAMED_FUNCTIONS_H

#include "bpf-runtime/interpreter_abi.h"
#include "bpf-runtime/runtime.h"

/* Layout of maps and strings that is the same in all versions. User space checks that. */
#define MAP_TYPE 12
#define STRING_LENGTH 12
#define STRING_CHARS 16
#define FIRST_NO_STRING 128
#define STRING_FORM 7
#define STRING_IS_1_BYTE 8
/* Flag in the type of external strings: the object contains no pointer to the characters. */
#define STRING_HAS_NO_POINTER 16
#define ARRAY_LENGTH 8
#define ARRAY_DATA 16
enum { FORM_WHOLE, FORM_ROPE, FORM_EXTERNAL, FORM_PART, FORM_REFERENCE = 5 };

#define CLOSURE_READ 40 /* number of bytes that are read from a function object; each has at least this size */
#define SHARED_READ 48
#define NO_TYPE (~0ULL)
#define MAX_MARKERS 128 /* a frame without a function contains a number below this limit instead of its context */
#define MAX_VARIABLES (1 << 16)
#define MAX_COUNTED (1 << 16) /* maximum number of bytes of source in which lines are counted */
#define MAX_ARRAY_BITS 24     /* log2 of the maximum number of lines of a script */

/* indexes of words in dt_mixed.head that are not captured */
enum { NAME_AT = DT_FUNCTION_WORDS, FILE_AT };

/* results of framed_word() that are not words for a stack */
#define FRAME_WITHOUT_FUNCTION 0
#define NO_FRAME 1

DT_INLINE dt_u64 is_object(dt_u64 word)
{
	return (word & 3) == 1;
}

/* Returns the number that a word stores in V8's form (shifted, with a tag). */
DT_INLINE dt_u64 number_in(dt_u64 word)
{
	return word >> 32;
}

/* Returns the type of an object, which its map contains. */
DT_INLINE dt_u64 type_of_map(dt_u64 map)
{
	dt_u16 type = 0;

	if (!(map & 1) && read_memory(&map, 8, map))
		return NO_TYPE;
	return is_object(map) && !read_memory(&type, 2, map - 1 + MAP_TYPE) ? type : NO_TYPE;
}

DT_INLINE dt_u64 type_of(dt_u64 object)
{
	dt_u64 map = 0;

	return is_object(object) && !read_memory(&map, 8, object - 1) ? type_of_map(map) : NO_TYPE;
}

DT_INLINE void end_text(struct dt_function *f, dt_u64 form, dt_u64 at, dt_u64 bytes)
{
	f->text_form = form;
	f->text_at = at;
	f->text_bytes = bytes;
}

/* Finds the characters of a string. Returns not 0 if the object is no string. If a string consists of several joined
 * strings that were not copied to one place yet, finds only the last one (DT_TEXT_END). */
static __attribute__((noinline)) long find_text(struct dt_function *f, dt_u64 string)
{
	dt_u64 length = 0, part = 0, is_end = 0, type, width, second;

#pragma unroll
	for (int i = 0; i < 4; i++) {
		if (!is_object(string))
			return 1;
		f->string[2] = f->string[3] = 0;
		if (read_memory(f->string, 32, string - 1) && read_memory(f->string, 16, string - 1))
			return 1;
		type = type_of_map(f->string[0]);
		if (type >= FIRST_NO_STRING)
			return 1;
		if (!length)
			length = number_in(f->string[1]);
		width = type & STRING_IS_1_BYTE ? 1 : 2;
		type &= STRING_FORM | STRING_HAS_NO_POINTER;
		if ((type & STRING_FORM) == FORM_WHOLE || type == FORM_EXTERNAL) {
			end_text(f, (width == 1 ? DT_TEXT_1_BYTE : DT_TEXT_2_BYTE) | is_end,
			         (type == FORM_EXTERNAL ? f->string[3] : string - 1 + STRING_CHARS) + part * width,
			         length * width);
			return 0;
		}
		type &= STRING_FORM;
		if (type == FORM_PART)
			part += number_in(f->string[3]);
		else if (type == FORM_ROPE) {
			second = 0;
			if (!is_object(f->string[3]) || read_memory(&second, 8, f->string[3] - 1 + 8))
				return 1;
			if (number_in(second)) {
				is_end = DT_TEXT_END;
				length = 0;
				string = f->string[3];
				continue;
			}
		} else if (type != FORM_REFERENCE)
			break;
		string = f->string[2];
	}
	end_text(f, DT_TEXT_ROPE, 0, 0);
	return 0;
}

/* Copies at most DT_FUNCTION_CHARS bytes to f->chars, and sets the bytes after them to 0. */
DT_INLINE long read_chars(struct dt_function *f, dt_u64 count, dt_u64 at)
{
	volatile dt_u64 *chars = f->chars;

#pragma unroll
	for (int i = 0; i < DT_FUNCTION_CHARS / 8; i++)
		chars[i] = 0;
	DT_OPAQUE(count);
	count &= 2 * DT_FUNCTION_CHARS - 1; /* a bound that verifiers still know after the value was spilled to the stack */
	return read_memory(f->chars, count, at);
}

/* Adds to the digest the form, the length and the last bytes of the text that was found last. */
static __attribute__((noinline)) long digest_chars(struct dt_mixed *m)
{
	struct dt_function *f = &m->function;
	dt_u64 count = f->text_bytes, sum = 0;

	m->key.digest = mixed_digest(m->key.digest, f->text_form | f->text_bytes << 8);
	if (count > DT_FUNCTION_CHARS)
		count = DT_FUNCTION_CHARS;
	if (read_chars(f, count, f->text_at + f->text_bytes - count))
		return 1;
#pragma unroll
	for (int i = 0; i < DT_FUNCTION_CHARS / 8; i++) {
		sum += f->chars[i] * (DIGEST_FACTOR * (2 * i + 1));
		DT_OPAQUE(sum); /* adding one word after the other needs less stack */
	}
	m->key.digest = mixed_digest(m->key.digest, sum);
	return 0;
}

DT_INLINE dt_u64 name_word(const struct dt_function *f, dt_u64 i)
{
	DT_OPAQUE(i); /* needed because verifiers before 6.8, unlike the compiler, do not know that the value is small */
	return f->names[i & 7];
}

/* Finds the name and the position of the function that `f->shared` describes. Returns 0 or a reason (DT_UNNAMED_…).
 * The name is in the description itself or in the function's scope. In the scope, the name follows the variables.
 * After it comes a name that V8 has inferred from the surrounding code (`inferred`), and in older versions the
 * position. */
DT_INLINE dt_u64 find_name(struct search *s, dt_u64 named, dt_u64 *start)
{
	const struct dt_function_layout *l = &s->of->function;
	struct dt_function *f = &s->m->function;
	dt_u64 size = (l->first_variable + 1) * 8, type = NO_TYPE, flags, variables, count, at, is_plain;

	*start = 0;
	end_text(f, DT_TEXT_NONE, 0, 0);
	if (!(named & 1))
		return 0;
	type = type_of(named);
	if (type < FIRST_NO_STRING)
		return find_text(f, named) ? DT_UNNAMED_UNREADABLE : 0;
	if (type != l->scope_type)
		return type == NO_TYPE ? DT_UNNAMED_UNREADABLE : DT_UNNAMED_BUILD;
	DT_OPAQUE(size);
	if (size > sizeof(f->scope))
		size = sizeof(f->scope);
	if (read_memory(f->scope, size, named - 1))
		return DT_UNNAMED_UNREADABLE;
	is_plain = (dt_u32)f->scope[1] != 0;
	flags = is_plain ? f->scope[1] : number_in(f->scope[1]);
	variables = number_in(f->scope[3]);
	if (flags >> 32 || (dt_u32)f->scope[3] || variables >= MAX_VARIABLES)
		return DT_UNNAMED_BUILD;
	at = l->first_variable + 1 + variables + (variables < DT_SCOPE_INLINED_NAMES ? variables : 1);
	at += !!(flags & DT_SCOPE_HAS_CLASS);
	if (l->first_variable > 3)
		at += (flags & DT_SCOPE_KIND) == (is_plain ? DT_PLAIN_SCOPE_OF_MODULE : DT_SCOPE_OF_MODULE);
	count = !!(flags & DT_SCOPE_HAS_FUNCTION) * 2 + !!(flags & DT_SCOPE_HAS_INFERRED);
	size = (count + (l->first_variable > 3 ? 0 : 2)) * 8;
	DT_OPAQUE(size);
	size &= 0x3f; /* a bound that verifiers still know after the value was spilled to the stack */
	if (size && read_memory(f->names, size, named - 1 + at * 8))
		return DT_UNNAMED_UNREADABLE;
	*start = l->first_variable > 3 ? f->scope[4] : name_word(f, count);
	if ((dt_u32)*start)
		return DT_UNNAMED_BUILD;
	*start = number_in(*start);
	if (flags & DT_SCOPE_HAS_FUNCTION && f->names[0] && find_text(f, f->names[0]))
		return DT_UNNAMED_BUILD;
	if (f->text_form != DT_TEXT_ROPE && !f->text_bytes && flags & DT_SCOPE_HAS_INFERRED) {
		named = name_word(f, count - 1);
		if (type_of(named) < FIRST_NO_STRING && find_text(f, named))
			return DT_UNNAMED_BUILD;
	}
	return 0;
}

/* Counts the bytes (or 2-byte units) in a word that are equal to `unit`. */
DT_INLINE dt_u64 count_units(dt_u64 word, dt_u64 unit, dt_u64 is_wide)
{
	dt_u64 bits = 8 << is_wide, ones = 0x0001000100010001 | 0x0100010001000100 * (1 - is_wide);
	dt_u64 highs = ones << (bits - 1), zeros;

	word ^= ones * unit;
	zeros = ~(((word & ~highs) + ~highs) | word | ~highs);
	return ((zeros >> (bits - 1)) * ones) >> (64 - bits);
}

DT_INLINE void count_in_chars(struct dt_function *f, dt_u64 is_wide)
{
	dt_u64 newlines = 0, returns = 0;

#pragma unroll
	for (int i = 0; i < DT_FUNCTION_CHARS / 8; i++) {
		newlines += count_units(f->chars[i], '\n', is_wide);
		returns += count_units(f->chars[i], '\r', is_wide);
		DT_OPAQUE(newlines); /* counting in one word after the other needs less stack */
		DT_OPAQUE(returns);
	}
	f->newlines += newlines;
	f->returns += returns;
}

static long count_part(dt_u32 n, struct search *s)
{
	struct dt_function *f = &s->m->function;
	dt_u64 count = f->count_left;

	if (!count)
		return 1;
	if (count > DT_FUNCTION_CHARS)
		count = DT_FUNCTION_CHARS;
	if (read_chars(f, count, f->count_at))
		return 1;
	f->count_at += count;
	f->count_left -= count;
	count_in_chars(f, f->count_wide);
	return 0;
}

/* Step of a binary search: determines one bit, from the highest on, of the number of lines that end before
 * f->array[0]. */
static long search_line(dt_u32 n, struct search *s)
{
	struct dt_function *f = &s->m->function;
	dt_u64 step = 1ULL << ((MAX_ARRAY_BITS - 1 - n) & 31), next = f->newlines + step;

	if (next <= f->count_left && !read_memory(f->array + 1, 8, f->count_at + (next - 1) * 8) &&
	    number_in(f->array[1]) < f->array[0])
		f->newlines = next;
	return 0;
}

/* Returns the number of lines that end before `start`, or NO_TYPE if it cannot be determined. If the runtime has
 * needed the list of line ends before, the script contains it. Otherwise counts the lines. */
DT_INLINE dt_u64 lines_before(struct search *s, dt_u64 start)
{
	const struct dt_function_layout *l = &s->of->function;
	struct dt_function *f = &s->m->function;
	dt_u64 ends = f->script[l->script_lines >> 3 & 7];

	if (is_object(ends) && type_of(ends) == l->array_type) {
		if (read_memory(f->array, 8, ends - 1 + ARRAY_LENGTH))
			return NO_TYPE;
		f->count_at = ends - 1 + ARRAY_DATA;
		f->count_left = number_in(f->array[0]);
		f->newlines = 0;
		f->array[0] = start;
		bpf_loop(MAX_ARRAY_BITS, search_line, s, 0);
		return f->newlines;
	}
	if (find_text(f, f->script[l->script_source >> 3 & 7]))
		return NO_TYPE;
	f->count_wide = f->text_form == DT_TEXT_2_BYTE;
	f->count_left = start << f->count_wide;
	if ((f->text_form != DT_TEXT_1_BYTE && !f->count_wide) || f->count_left > f->text_bytes ||
	    f->count_left > MAX_COUNTED)
		return NO_TYPE;
	f->count_at = f->text_at;
	f->newlines = f->returns = 0;
	bpf_loop(MAX_COUNTED / DT_FUNCTION_CHARS, count_part, s, 0);
	/* a carriage return without a newline also ends a line */
	return f->count_left || (f->returns && f->returns != f->newlines) ? NO_TYPE : f->newlines;
}

/* Copies the beginning of a text, at most `most` bytes; `most` is a power of two minus 1. Returns the number of
 * bytes. */
DT_INLINE dt_u32 capture(void *to, dt_u64 most, dt_u64 bytes, dt_u64 at)
{
	if (bytes > most)
		bytes = most;
	DT_OPAQUE(bytes);
	bytes &= most; /* a bound that verifiers still know after the value was spilled to the stack */
	return read_memory(to, bytes, at) ? 0 : bytes;
}

/* Captures the function. m->head contains the forms and addresses of its texts, and its position in the source.
 * Returns the function's index in DT_MAP_INTERPRETER_TEXTS, or 0 if there is no room. */
DT_INLINE dt_u32 keep_function(struct search *s)
{
	struct dt_mixed *m = s->m;
	struct dt_function *f = &m->function;
	dt_u64 lines = NO_TYPE;
	struct dt_code_key key;
	struct dt_code *code;
	dt_u32 position = 0;

	if (number_in(m->head[DT_FUNCTION_FILE]) || (dt_u32)m->head[DT_FUNCTION_FILE] == DT_TEXT_NONE)
		lines = lines_before(s, m->head[DT_FUNCTION_START]);
	/* The word after the script's name contains the line at which the script begins. It is not 0 if a file contains
	 * several scripts. */
	m->head[DT_FUNCTION_LINE] =
		lines == NO_TYPE ? 0 : lines + 1 + number_in(f->script[((s->of->function.script_name >> 3) + 1) & 7]);
	code = new_code(m, &position);
	if (!code)
		return 0;
	bpf_probe_read_kernel(code->head, DT_FUNCTION_WORDS * 8, m->head);
	code->got[0] = capture(code->name, DT_CODE_NAME - 1, number_in(m->head[DT_FUNCTION_NAME]), m->head[NAME_AT]);
	code->got[1] = capture(code->file, DT_CODE_FILE - 1, number_in(m->head[DT_FUNCTION_FILE]), m->head[FILE_AT]);
	code->got[2] = 0;
	key = m->key; /* copied to the stack, because verifiers before 6.2 do not accept keys in memory of a caller */
	bpf_map_update_elem(&interpreter_codes, &key, &position, 0);
	return position;
}

DT_INLINE dt_u64 is_of_type(dt_u64 object, dt_u32 first, dt_u32 last)
{
	dt_u64 type = type_of(object);

	return type >= first && type <= last;
}

/* Returns the word for the frame with this frame pointer, FRAME_WITHOUT_FUNCTION, or NO_FRAME. */
DT_INLINE dt_u64 framed_word(struct search *s, dt_u64 fp)
{
	const struct dt_function_layout *l = &s->of->function;
	struct dt_mixed *m = s->m;
	struct dt_function *f = &m->function;
	dt_u64 shared, script, type, reason, kind = s->of->kind;
	struct dt_code_key key;
	const dt_u32 *known;
	dt_u32 position;

	if (read_memory(f->frame, 16, fp - l->function_below))
		return NO_FRAME;
	if (!(f->frame[1] & 1))
		return f->frame[1] < MAX_MARKERS ? FRAME_WITHOUT_FUNCTION : NO_FRAME;
	if (!is_object(f->frame[0]) || !is_object(f->frame[1]) ||
	    read_memory(f->closure, CLOSURE_READ, f->frame[0] - 1))
		return NO_FRAME;
	shared = f->closure[l->shared >> 3 & 7];
	if (!is_object(shared) || read_memory(f->shared, SHARED_READ, shared - 1))
		return NO_FRAME;
	reason = find_name(s, f->shared[l->name >> 3 & 7], m->head + DT_FUNCTION_START);
	if (reason)
		return DT_INTERPRETER_WORD(0, reason | kind << 8);
	m->head[DT_FUNCTION_NAME] = f->text_form | f->text_bytes << 32;
	m->head[NAME_AT] = f->text_at;
	m->key.code = m->head[DT_FUNCTION_START];
	m->key.process = m->walk.process;
	m->key.kind = kind;
	m->key.digest = kind;
	if (digest_chars(m))
		return DT_INTERPRETER_WORD(0, DT_UNNAMED_UNREADABLE | kind << 8);
	script = f->shared[l->script >> 3 & 7];
	type = type_of(script);
	end_text(f, DT_TEXT_BUILTIN, 0, 0);
	if (type == l->script_type) {
		if (read_memory(f->script, sizeof(f->script), script - 1))
			return DT_INTERPRETER_WORD(0, DT_UNNAMED_UNREADABLE | kind << 8);
		/* The script's number follows its list of line ends. */
		m->key.digest = mixed_digest(m->key.digest, f->script[(l->script_lines >> 3) % 8 + 1]);
		script = f->script[l->script_name >> 3 & 7];
		end_text(f, DT_TEXT_NONE, 0, 0);
		if (type_of(script) < FIRST_NO_STRING && find_text(f, script))
			return DT_INTERPRETER_WORD(0, DT_UNNAMED_UNREADABLE | kind << 8);
	} else if (m->head[DT_FUNCTION_START]) {
		end_text(f, DT_TEXT_NONE, 0, 0); /* a debugger has put its data between the function and its script */
	} else if (!number_in(m->head[DT_FUNCTION_NAME])) {
		/* internal code that is no function of the program */
		return is_of_type(shared, l->shared_type, l->shared_type)
		               ? FRAME_WITHOUT_FUNCTION
		               : DT_INTERPRETER_WORD(0, DT_UNNAMED_BUILD | kind << 8);
	}
	m->head[DT_FUNCTION_FILE] = f->text_form | f->text_bytes << 32;
	m->head[FILE_AT] = f->text_at;
	if (digest_chars(m))
		return DT_INTERPRETER_WORD(0, DT_UNNAMED_UNREADABLE | kind << 8);
	key = m->key;
	known = bpf_map_lookup_elem(&interpreter_codes, &key);
	position = known ? *known : 0;
	if (!position) {
		if (!is_of_type(f->frame[0], l->first_function, l->last_function) ||
		    !is_of_type(f->frame[1], l->first_context, l->last_context) ||
		    !is_of_type(shared, l->shared_type, l->shared_type))
			return DT_INTERPRETER_WORD(0, DT_UNNAMED_BUILD | kind << 8);
		if (type != l->script_type)
			f->script[8] = f->script[7] = 0;
		position = keep_function(s);
	}
	return DT_INTERPRETER_WORD(position, position ? 0 : DT_UNNAMED_ROOM | kind << 8);
}

/* Adds the next word of a stack whose frames are native frames with frame pointers. */
static long put_framed(dt_u32 n, struct search *s)
{
	struct dt_mixed *m = s->m;
	dt_u64 at = m->at, pc, word, fp, found = NO_FRAME, is_own, is_loop;

	if (at >= DT_UNWIND_FRAMES || at * 8 >= m->walk.bytes)
		return 1;
	m->at = at + 1;
	word = m->walk.frames[at & (DT_UNWIND_FRAMES - 1)];
	pc = native_pc(m, at);
	if (at >= m->walk.count) /* a mark */
		return put(m, word);
	fp = m->frame_pointers[at & (DT_UNWIND_FRAMES - 1)];
	is_loop = is_in(s->of->loop, pc);
	is_own = is_in(s->of->own, pc);
	if (fp && (is_loop || (fp & DT_IN_NO_FILE && !is_own))) {
		fp &= ~(dt_u64)DT_IN_NO_FILE;
		/* The innermost frame may not contain its function yet. */
		if (at || m->sp <= fp - s->of->function.function_below)
			found = framed_word(s, fp);
		if (found == NO_FRAME && is_loop)
			found = DT_INTERPRETER_WORD(0, (at ? DT_UNNAMED_BUILD : DT_UNNAMED_BEGINS) | s->of->kind << 8);
	}
	if ((m->shows_own || (found == NO_FRAME && !is_own)) && put(m, word))
		return 1;
	return found > NO_FRAME && put(m, found);
}

#endif
