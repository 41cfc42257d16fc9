/* json(): the value at a path in JSON text (dtrace-actions(7), json).
 *
 * Makes one pass over the text, with one callback per character. The callback's state is in memory of the caller (a map
 * value, about which the verifier assumes nothing), so the verifier checks one character and not the whole text. No
 * recursion is needed: a word with one bit per level stores the open brackets, and deeper nesting is refused. */
#include "bpf-runtime/runtime.h"

#define MOST_LEVELS 63

enum { ROOT, VALUE, FIRST_VALUE, FIRST_KEY, NEXT_KEY, KEY, COLON, STRING, WORD, NUMBER, NEXT }; /* expected token */
enum {
	SIGN,
	ZERO,
	WHOLE,
	POINT,
	FRACTION,
	EXPONENT,
	EXPONENT_SIGN,
	EXPONENT_DIGITS
}; /* parsed part of a
      number */
enum { NO_TARGET, SCALAR, CONTAINER };

struct work {
	dt_u64 mode, part; /* part: position in a number, or the letters of true, false or null that are still expected */
	dt_u64 escaped, hex;
	dt_u64 depth, kinds;     /* `depth`: number of open brackets; bit 0 of `kinds`: the innermost open bracket is an
	                        object */
	dt_u64 level;            /* depth of the bracket in which the current path element is searched */
	dt_u64 by_name, element; /* the current path element. If `by_name` is not 0, `element` is the offset of a name
                             in the path; otherwise it is an array index */
	dt_u64 wanted, index;    /* index of the wanted array element, and index of the next one */
	dt_u64 match, next;      /* `match`: position in the path up to which it equals the key so far. `next`: position
                             in the path after the element that was found */
	dt_u64 hit;              /* 1: the next value in the text is the wanted element */
	dt_u64 target, target_depth, start, end;
	dt_u64 found;
};

_Static_assert(sizeof(struct work) <= 160, "kJsonRoom of dcompiler/lower/builtins/string_subroutines.cpp");

struct json {
	const dt_u8 *text, *path;
	dt_u64 text_size, path_size; /* sizes of the text and of the path; constants */
	struct work *w;
};

#ifdef DT_PLAIN_KERNEL

/* On kernels without bpf_loop(), a global function handles each character, so the verifier checks it once. Such a
 * function has only numbers as parameters, so its data are in a map, with one element for each firing that
 * interrupts another one on the CPU. */
struct call {
	struct json json; /* the verifier treats `path` as a number */
	struct work work;
	dt_u64 character;
};

struct calls {
	dt_u64 level; /* number of firings on this CPU that are executing dt_json() */
	struct call of_level[DT_SLOTS];
};

struct {
	MAP(type, 6); /* BPF_MAP_TYPE_PERCPU_ARRAY */
	MAP(max_entries, 1);
	dt_u32 *key;
	struct calls *value;
} json_calls __attribute__((section(".maps"), used));

#define MOST_DIGITS 64 /* maximum digits of an index in a path */

DT_INLINE struct work *work_of(struct json *j)
{
	return &((struct call *)j)->work;
}

#else

#define MOST_DIGITS j->path_size

DT_INLINE struct work *work_of(struct json *j)
{
	return j->w;
}

#endif

DT_INLINE dt_u64 is_blank(dt_u64 c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

DT_INLINE dt_u64 is_digit(dt_u64 c)
{
	return c - '0' < 10;
}

/* Returns the path's character at a position, or NUL after its end. */
DT_INLINE dt_u64 path_at(struct json *j, dt_u64 at)
{
	DT_OPAQUE(at);
#ifdef DT_PLAIN_KERNEL
	dt_u8 c = 0;

	if (at < j->path_size)
		bpf_probe_read_kernel(&c, 1, j->path + at);
	return c;
#else
	return at < j->path_size ? j->path[at] : 0;
#endif
}

DT_INLINE long found(struct work *w, dt_u64 end)
{
	w->end = end;
	w->found = 1;
	return 1;
}

static long read_index(dt_u32 i, struct json *j)
{
	struct work *w = work_of(j);
	dt_u64 c = path_at(j, w->next + i);

	if (!is_digit(c)) {
		w->next = c == ']' && i ? w->next + i + 1 : DT_NOWHERE;
		return 1;
	}
	w->wanted = w->wanted * 10 + (c - '0');
	return w->wanted >> 32 != 0;
}

/* Starts searching the innermost bracket for the path element at `at`, unless that element needs the other kind of
 * bracket. Returns not 0 if the path has no valid element at `at`. */
DT_INLINE long look_for(struct json *j, dt_u64 at, dt_u64 is_object)
{
	struct work *w = work_of(j);
	dt_u64 c = path_at(j, at);

	if (c != '[' && c != '.' && at)
		return 1;
	if ((c == '[') == is_object)
		return 0;
	w->by_name = is_object;
	w->index = w->wanted = 0;
	w->element = c == '.' ? at + 1 : at;
	w->next = at + 1;
	if (!is_object) {
		DT_LOOP(MOST_DIGITS, j->path_size, read_index, j);
#ifdef DT_PLAIN_KERNEL
		if (is_digit(path_at(j, w->next))) /* the index has more digits */
			return 1;
#endif
		if (w->next == DT_NOWHERE || w->wanted >> 32)
			return 1;
	}
	w->level = w->depth;
	return 0;
}

DT_INLINE long open(struct json *j, dt_u64 is_object, dt_u64 at, dt_u64 hit, dt_u64 rest)
{
	struct work *w = work_of(j);
	dt_u64 is_last = !path_at(j, rest);

	if (w->depth >= MOST_LEVELS)
		return 1;
	if (hit && is_last && w->depth) {
		w->target = CONTAINER;
		w->target_depth = w->depth;
		w->start = at;
	}
	w->depth++;
	w->kinds = w->kinds << 1 | is_object;
	w->mode = is_object ? FIRST_KEY : FIRST_VALUE;
	return hit && !is_last ? look_for(j, rest, is_object) : 0;
}

DT_INLINE long close(struct work *w, dt_u64 is_object, dt_u64 at)
{
	if (!w->depth || (w->kinds & 1) != is_object)
		return 1;
	w->depth--;
	w->kinds >>= 1;
	w->mode = NEXT;
	if (w->target == CONTAINER && w->depth == w->target_depth)
		return found(w, at + 1);
	return !w->depth || w->depth < w->level; /* the wanted element does not exist */
}

DT_INLINE long begin_value(struct json *j, dt_u64 c, dt_u64 at)
{
	struct work *w = work_of(j);
	dt_u64 hit = w->hit, rest = w->match;

	w->hit = 0;
	if (w->mode == ROOT) {
		hit = 1;
		rest = 0;
	} else if (!(w->kinds & 1)) {
		hit = w->depth == w->level && !w->by_name && w->index == w->wanted;
		rest = w->next;
		if (w->depth == w->level)
			w->index++;
	}
	if (c == '{' || c == '[')
		return open(j, c == '{', at, hit, rest);
	if (w->mode == ROOT)
		return 1;
	if (hit && !path_at(j, rest)) {
		w->target = SCALAR;
		w->start = c == '"' ? at + 1 : at;
	}
	w->mode = WORD;
	if (c == '"') {
		w->mode = STRING;
	} else if (c == 't') {
		w->part = 'r' | 'u' << 8 | 'e' << 16;
	} else if (c == 'f') {
		w->part = 'a' | 'l' << 8 | 's' << 16 | 'e' << 24;
	} else if (c == 'n') {
		w->part = 'u' | 'l' << 8 | 'l' << 16;
	} else {
		w->mode = NUMBER;
		w->part = c == '-' ? SIGN : c == '0' ? ZERO : WHOLE;
		return c != '-' && !is_digit(c);
	}
	return 0;
}

DT_INLINE long next(struct work *w, dt_u64 c, dt_u64 at)
{
	if (is_blank(c))
		return 0;
	if (c == '}' || c == ']')
		return close(w, c == '}', at);
	w->mode = w->kinds & 1 ? NEXT_KEY : VALUE;
	return c != ',';
}

/* Handles a character of a key or string. */
DT_INLINE long in_text(struct json *j, dt_u64 c, dt_u64 at)
{
	struct work *w = work_of(j);
	dt_u64 wanted;

	if (w->hex) {
		if (!is_digit(c) && (c | 0x20) - 'a' >= 6)
			return 1;
		w->hex--;
	} else if (w->escaped) {
		w->escaped = 0;
		if (c == 'u')
			w->hex = 4;
		else if (c != '"' && c != '\\' && c != '/' && c != 'b' && c != 'f' && c != 'n' && c != 'r' && c != 't')
			return 1;
	} else if (c == '"') {
		if (w->mode == STRING) {
			w->mode = NEXT;
			return w->target == SCALAR ? found(w, at) : 0;
		}
		w->mode = COLON;
		wanted = path_at(j, w->match);
		w->hit = w->depth == w->level && w->by_name && w->match != DT_NOWHERE &&
		         (!wanted || wanted == '.' || wanted == '[');
		return 0;
	} else if (c == '\\') {
		w->escaped = 1;
	} else if (c < ' ') {
		return 1;
	}
	if (w->mode == KEY && w->match != DT_NOWHERE) {
		wanted = path_at(j, w->match);
		w->match = wanted == c && c != '.' && c != '[' ? w->match + 1 : DT_NOWHERE;
	}
	return 0;
}

DT_INLINE long in_word(struct work *w, dt_u64 c, dt_u64 at)
{
	if (c != (w->part & 0xff))
		return 1;
	w->part >>= 8;
	if (w->part)
		return 0;
	w->mode = NEXT;
	return w->target == SCALAR ? found(w, at + 1) : 0;
}

DT_INLINE long in_number(struct work *w, dt_u64 c, dt_u64 at)
{
	dt_u64 part = w->part;

	if (is_digit(c)) {
		if (part == ZERO)
			return 1;
		w->part = part == SIGN                                ? (c == '0' ? ZERO : WHOLE)
		          : part == POINT                             ? FRACTION
		          : part == EXPONENT || part == EXPONENT_SIGN ? EXPONENT_DIGITS
		                                                      : part;
		return 0;
	}
	if (c == '.' && (part == ZERO || part == WHOLE)) {
		w->part = POINT;
		return 0;
	}
	if ((c | 0x20) == 'e' && (part == ZERO || part == WHOLE || part == FRACTION)) {
		w->part = EXPONENT;
		return 0;
	}
	if ((c == '+' || c == '-') && part == EXPONENT) {
		w->part = EXPONENT_SIGN;
		return 0;
	}
	if (part != ZERO && part != WHOLE && part != FRACTION && part != EXPONENT_DIGITS)
		return 1;
	w->mode = NEXT;
	if (w->target == SCALAR && (is_blank(c) || c == ',' || c == '}' || c == ']'))
		return found(w, at);
	return next(w, c, at);
}

static long step(dt_u32 i, struct json *j)
{
	struct work *w = work_of(j);
	dt_u64 c, mode = w->mode;

	if (i >= j->text_size)
		return 1;
#ifdef DT_PLAIN_KERNEL
	c = ((struct call *)j)->character;
#else
	c = j->text[i];
#endif
	if (!c)
		return 1;
	if (mode == KEY || mode == STRING)
		return in_text(j, c, i);
	if (mode == NUMBER)
		return in_number(w, c, i);
	if (mode == WORD)
		return in_word(w, c, i);
	if (mode == NEXT)
		return next(w, c, i);
	if (is_blank(c))
		return 0;
	if (mode == COLON) {
		w->mode = VALUE;
		return c != ':';
	}
	if (mode == FIRST_KEY || mode == NEXT_KEY) {
		if (c == '}' && mode == FIRST_KEY)
			return close(w, 1, i);
		w->mode = KEY;
		w->match = w->depth == w->level && w->by_name ? w->element : DT_NOWHERE;
		return c != '"';
	}
	if (c == ']' && mode == FIRST_VALUE)
		return close(w, 0, i);
	return begin_value(j, c, i);
}

#ifdef DT_PLAIN_KERNEL

DT_INLINE struct calls *calls_here(void)
{
	dt_u32 first = 0;

	return bpf_map_lookup_elem(&json_calls, &first);
}

DT_EXPORT dt_u64 dt_json_character(dt_u64 i, dt_u64 c, dt_u64 level)
{
	struct calls *calls = calls_here();
	struct call *call;

	if (!calls)
		return 1;
	call = &calls->of_level[level & (DT_SLOTS - 1)];
	call->character = c;
	return step(i, &call->json);
}

struct reading {
	const dt_u8 *text;
	dt_u64 size, level;
};

static long read_character(dt_u32 i, struct reading *r)
{
	if (i >= r->size)
		return 1;
	return dt_json_character(i, r->text[i], r->level);
}

#endif

DT_INLINE void begin(struct work *w)
{
	w->mode = ROOT;
	w->escaped = w->hex = w->depth = w->kinds = w->level = w->by_name = w->hit = w->target = w->found = 0;
	w->match = DT_NOWHERE;
}

/* Copies the value at the path to dst, and returns dst, or 0 if no such value exists. dst must have room for the
 * whole text. `sizes`: the size of text, and the size of path << 32. `work`: a struct work in a map value. */
DT_HIDDEN dt_u64 dt_json(dt_u64 dst, dt_u64 text, dt_u64 path, dt_u64 sizes, dt_u64 work)
{
	struct json j = {(const dt_u8 *)text, (const dt_u8 *)path, (dt_u32)sizes, sizes >> 32, (struct work *)work};
	dt_u64 start, length;
#ifdef DT_PLAIN_KERNEL
	struct calls *calls = calls_here();
	struct reading r = {j.text, j.text_size, 0};
	struct call *call;
	struct work *w;

	if (!calls)
		return 0;
	r.level = calls->level++ & (DT_SLOTS - 1);
	call = &calls->of_level[r.level];
	w = &call->work;
	call->json.path = (const dt_u8 *)DT_ADDRESS(j.path);
	call->json.path_size = j.path_size;
	call->json.text_size = j.text_size;
	begin(w);
	if (j.path[0])
		DT_LOOP(j.text_size, j.text_size, read_character, &r);
	calls->level--;
#else
	struct work *w = j.w;

	begin(w);
	if (j.path[0])
		DT_LOOP(j.text_size, j.text_size, step, &j);
#endif
	start = w->start;
	length = w->end - start;
	DT_OPAQUE(start);
	DT_OPAQUE(length);
	if (!w->found || start >= j.text_size || length >= j.text_size)
		return 0;
	bpf_probe_read_kernel_str((void *)dst, length + 1, j.text + start);
	return dst;
}
