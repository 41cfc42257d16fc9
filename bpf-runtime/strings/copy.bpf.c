/* Copies memory of the program on locked-down kernels, which lack bpf_probe_read_kernel(). */
#include "bpf-runtime/runtime.h"

struct copy {
	dt_u8 *to;
	const dt_u8 *from;
	dt_u64 size;   /* number of bytes to copy */
	dt_u64 most;   /* maximum of `size`, which the verifier knows */
	dt_u64 room;   /* copy_text: number of readable bytes */
	dt_u64 length; /* copy_text: number of bytes with the NUL */
};

static long copy_byte(dt_u32 index, struct copy *c)
{
	dt_u64 i = index;

	DT_OPAQUE(i);
	if (i >= c->most || i >= c->size)
		return 1;
	c->to[i] = c->from[i];
	return 0;
}

/* Copies `size` bytes, at most the constant `most`. Returns 0, or -1 if `from` is NULL. */
DT_HIDDEN dt_u64 dt_copy(dt_u64 to, dt_u64 size, dt_u64 from, dt_u64 most)
{
	struct copy c = {(dt_u8 *)to, (const dt_u8 *)from, size, most, 0, 0};

	if (!from)
		return DT_UNKNOWN((dt_u64)-1);
	bpf_loop(most, copy_byte, &c, 0);
	return DT_UNKNOWN(0);
}

static long copy_character(dt_u32 index, struct copy *c)
{
	dt_u64 i = index;
	dt_u8 character = 0;

	DT_OPAQUE(i);
	if (i >= c->most || i >= c->size)
		return 1;
	c->length = i + 1;
	if (i < c->room && i + 1 < c->size)
		character = c->from[i];
	c->to[i] = character;
	return character == 0;
}

/* Copies a text of at most `size` bytes with its NUL, as bpf_probe_read_kernel_str() does. `most` and `room` are
 * constants that bound `size` and the text's memory. Returns the number of bytes, or -1 if `from` is NULL. */
DT_HIDDEN dt_u64 dt_copy_text(dt_u64 to, dt_u64 size, dt_u64 from, dt_u64 most, dt_u64 room)
{
	struct copy c = {(dt_u8 *)to, (const dt_u8 *)from, size, most, room, DT_UNKNOWN(0)};

	if (!from)
		return DT_UNKNOWN((dt_u64)-1);
	bpf_loop(most, copy_character, &c, 0);
	return c.length;
}

struct ended {
	dt_u8 *text;
	dt_u64 size, most, length;
	dt_u64 keeps; /* 1 until the text's NUL was reached, then 0 */
};

static long end_character(dt_u32 index, struct ended *e)
{
	dt_u64 i = index;
	dt_u8 character;

	DT_OPAQUE(i);
	if (i >= e->most)
		return 1;
	character = e->keeps && i + 1 < e->size ? e->text[i] : 0;
	if (e->keeps)
		e->length = i + 1;
	if (!character)
		e->keeps = 0;
	e->text[i] = character;
	return 0;
}

/* Ends a text after at most `size` bytes, and clears all bytes after its NUL. `most`, a constant, is the number of
 * bytes at `text`. Returns the number of bytes with the NUL, or -1 if `from` is no address of memory. */
DT_HIDDEN dt_u64 dt_end_text(dt_u64 text, dt_u64 size, dt_u64 most, dt_u64 from)
{
	struct ended e = {(dt_u8 *)text, size, most, DT_UNKNOWN(0), DT_UNKNOWN(1)};

	bpf_loop(most, end_character, &e, 0);
	return from < 4096 ? DT_UNKNOWN((dt_u64)-1) : e.length;
}

/* Returns a character of a text, or 0 outside of its `most` bytes, a constant. */
DT_HIDDEN dt_u64 dt_character(dt_u64 text, dt_u64 index, dt_u64 most)
{
	DT_OPAQUE(index);
	return index < most ? ((const volatile dt_u8 *)text)[index] : 0;
}
