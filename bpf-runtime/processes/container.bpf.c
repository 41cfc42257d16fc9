/* container: the id of a task's container. Container managers use the id of 64 hexadecimal digits in the name of the
 * control group, with or without other words ("docker-ID.scope", "cri-containerd-ID.scope", "ID"). The task may be
 * in a descendant of that group. */
#include "bpf-runtime/runtime.h"

#define MOST_LEVELS 16
#define ROOM 128 /* maximum length of a name; a power of two */
#define DIGITS 64
#define SHOWN 12 /* number of digits to which container tools shorten an id */

struct search {
	dt_u8 *name;
	dt_u64 node, name_offset, parent_offset; /* address of a struct kernfs_node, and offsets of its members */
	dt_u64 at, digits, found;
};

#ifdef DT_PLAIN_KERNEL

#define PIECE 32 /* names are read in pieces, because the stack has no room for a whole name */

/* Finds DIGITS hexadecimal digits in a row in the name at an address. Returns 1 + the position of the first one, or 0.
 * The verifier checks this function once, and not for each level. */
DT_EXPORT dt_u64 dt_container_in_name(dt_u64 address)
{
	dt_u64 digits = DT_UNKNOWN(0);
	dt_u8 piece[PIECE + 8];

#pragma clang loop unroll(disable)
	for (dt_u64 at = 0; at < ROOM; at++) {
		dt_u64 c, is_digit, is_letter;

		if (at % PIECE == 0 && bpf_probe_read_kernel_str(piece, PIECE + 1, (const void *)(address + at)) < 0)
			return 0;
		c = piece[at % PIECE];
		is_digit = ((c - '0') - 10) >> 63 & ~(c - '0') >> 63;
		is_letter = ((c - 'a') - 6) >> 63 & ~(c - 'a') >> 63;
		digits = DT_UNKNOWN((digits + 1) * (is_digit | is_letter));
		if (digits == DIGITS)
			return DT_UNKNOWN(at - DIGITS + 2);
		if (!c)
			return 0;
	}
	return 0;
}

/* Handles one level of the hierarchy of control groups. */
static long step(dt_u32 i, struct search *s)
{
	dt_u64 name;

	(void)i;
	if (!s->node)
		return 1;
	name = dt_kernel_word(s->node + s->name_offset);
	s->found = dt_container_in_name(name);
	if (s->found) {
		bpf_probe_read_kernel_str(s->name, ROOM, (const void *)name);
		return 1;
	}
	s->node = dt_kernel_word(s->node + s->parent_offset);
	return 0;
}

#define MOST_STEPS MOST_LEVELS

#else

#define MOST_STEPS (MOST_LEVELS * ROOM)

/* Handles one character of a name, or moves one level up. */
static long step(dt_u32 i, struct search *s)
{
	dt_u64 at = s->at, digits = s->digits, c;

	(void)i;
	DT_OPAQUE(at);
	if (!s->node)
		return 1;
	if (!at) {
		digits = 0;
		if (bpf_probe_read_kernel_str(s->name, ROOM, (const void *)dt_kernel_word(s->node + s->name_offset)) < 0)
			return 1;
	}
	c = s->name[at & (ROOM - 1)];
	digits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ? digits + 1 : 0;
	at++;
	if (digits == DIGITS) {
		s->found = at - DIGITS + 1;
		return 1;
	}
	if (!c || at >= ROOM) {
		s->node = dt_kernel_word(s->node + s->parent_offset);
		at = 0;
	}
	s->at = DT_UNKNOWN(at); /* keeps the verifier from analyzing the loop for each length of a name */
	s->digits = DT_UNKNOWN(digits);
	return 0;
}

#endif

/* Stores the first digits of the container's id, or "", in `room` (ROOM bytes). Returns the address of this text. */
DT_HIDDEN dt_u64 dt_container(dt_u64 room, dt_u64 node, dt_u64 name_offset, dt_u64 parent_offset)
{
	struct search s = {(dt_u8 *)room, node, name_offset, parent_offset};
	dt_u64 at;

	s.at = DT_UNKNOWN(0);
	s.digits = DT_UNKNOWN(0);
	s.found = DT_UNKNOWN(0);
	DT_LOOP(MOST_STEPS, MOST_STEPS, step, &s, &s.node, &s.found);
	at = s.found - 1;
	DT_OPAQUE(at);
	if (at > ROOM - DIGITS) {
		s.name[0] = 0;
		return room;
	}
	s.name[at + SHOWN] = 0;
	return room + at;
}
