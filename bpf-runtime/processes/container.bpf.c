/* container: the id of a task's container. Container managers name the control group after the id of 64 hexadecimal
 * digits, with or without other words ("docker-ID.scope", "cri-containerd-ID.scope", "ID"). The task may be in a
 * descendant of that group. */
#include "bpf-runtime/runtime.h"

#define MOST_LEVELS 16
#define ROOM 128 /* maximum length of a name; a power of two */
#define DIGITS 64
#define SHOWN 12 /* digits that container tools show */

struct search {
	dt_u8 *name;
	dt_u64 node, name_offset, parent_offset; /* struct kernfs_node */
	dt_u64 at, digits, found;
};

DT_INLINE dt_u64 pointer_at(dt_u64 address)
{
	dt_u64 pointer = 0;

	return bpf_probe_read_kernel(&pointer, sizeof(pointer), (const void *)address) ? 0 : pointer;
}

/* Handles one character, or moves one level up. */
static long step(dt_u32 i, struct search *s)
{
	dt_u64 at = s->at, digits = s->digits, c;

	(void)i;
	DT_OPAQUE(at);
	if (!s->node)
		return 1;
	if (!at) {
		digits = 0;
		if (bpf_probe_read_kernel_str(s->name, ROOM, (const void *)pointer_at(s->node + s->name_offset)) < 0)
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
		s->node = pointer_at(s->node + s->parent_offset);
		at = 0;
	}
	s->at = DT_UNKNOWN(at); /* otherwise the verifier would analyse the loop for each length of a name */
	s->digits = DT_UNKNOWN(digits);
	return 0;
}

/* Returns the address of the text in `room` (ROOM bytes): the first digits of the id, or "". */
DT_HIDDEN dt_u64 dt_container(dt_u64 room, dt_u64 node, dt_u64 name_offset, dt_u64 parent_offset)
{
	struct search s = {(dt_u8 *)room, node, name_offset, parent_offset};
	dt_u64 at;

	s.at = DT_UNKNOWN(0);
	s.digits = DT_UNKNOWN(0);
	s.found = DT_UNKNOWN(0);
	bpf_loop(MOST_LEVELS * ROOM, step, &s, 0);
	at = s.found - 1;
	DT_OPAQUE(at);
	if (at > ROOM - DIGITS) {
		s.name[0] = 0;
		return room;
	}
	s.name[at + SHOWN] = 0;
	return room + at;
}
