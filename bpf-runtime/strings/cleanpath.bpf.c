/* cleanpath(): dtrace-actions(7), cleanpath.
 *
 * The path is read from its end, so that a ".." is found before the component that it removes. The result is written
 * from the end of a buffer: the components that are kept, each with a slash before it. A component is written while it
 * is read. It is discarded afterwards if it is not kept. */
#include "bpf-runtime/runtime.h"

struct clean {
	const dt_u8 *path;
	dt_u8 *out;
	dt_u64 path_size, out_size; /* sizes of the buffers; constants */
	dt_u64 length;              /* length of the path */
	dt_u64 kept;                /* start of the finished part of the result in `out`, which begins with a slash */
	dt_u64 at;                  /* like `kept`, but including the component that is being read */
	dt_u64 dots; /* number of dots of which the current component consists; 3: it has other characters
	         or more dots */
	dt_u64 ups;  /* number of ".." that have not removed a component yet */
};

DT_INLINE void put(struct clean *c, dt_u8 character)
{
	dt_u64 at = c->at - 1;

	DT_OPAQUE(at);
	if (at < c->out_size) {
		c->out[at] = character;
		c->at = at;
	}
}

/* Handles a component after its first character has been read: decides whether the component is kept. */
DT_INLINE void settle(struct clean *c)
{
	dt_u64 empty = c->at == c->kept;

	if (c->dots == 2) {
		c->ups++;
	} else if (!empty && c->dots != 1) {
		if (c->ups) {
			c->ups--;
		} else {
			put(c, '/');
			c->kept = c->at;
		}
	}
	c->at = c->kept;
	c->dots = 0;
}

static long step(dt_u32 i, struct clean *c)
{
	dt_u64 at = c->length - 1 - i;
	dt_u8 character;

	DT_OPAQUE(at);
	if (at >= c->path_size)
		return 1;
	character = c->path[at];
	if (character == '/') {
		settle(c);
		return 0;
	}
	c->dots = character == '.' && c->dots < 2 && c->at + c->dots == c->kept ? c->dots + 1 : 3;
	put(c, character);
	return 0;
}

static long up(dt_u32 i, struct clean *c)
{
	if (i >= c->ups)
		return 1;
	put(c, '.');
	put(c, '.');
	put(c, '/');
	return 0;
}

/* Returns the address of the result, which ends at the end of `out`. `sizes`: the size of path, and the size of out <<
 * 32. path must be readable and end in a NUL. out has room for the path and one more character, and is aligned to 8. */
DT_HIDDEN dt_u64 dt_cleanpath(dt_u64 out, dt_u64 path, dt_u64 sizes)
{
	struct clean c = {(const dt_u8 *)path, (dt_u8 *)out, (dt_u32)sizes, sizes >> 32, 0, 0, 0, 0, 0};
	dt_u64 absolute = c.path[0] == '/', at;

	c.length = bpf_probe_read_kernel_str(c.out, c.out_size, c.path) - 1;
	if (c.length < 2)
		return out;
	c.at = DT_UNKNOWN(c.out_size - 1);
	c.kept = DT_UNKNOWN(c.out_size - 1);
	c.dots = DT_UNKNOWN(0);
	c.ups = DT_UNKNOWN(0);
	c.out[c.out_size - 1] = 0;
	DT_LOOP(c.path_size, c.length, step, &c, &c.at, &c.kept, &c.dots, &c.ups);
	settle(&c);
	if (absolute) {
		if (c.kept >= c.out_size - 1)
			put(&c, '/');
	} else {
		DT_LOOP(c.path_size, c.ups, up, &c, &c.at);
		if (c.at < c.out_size - 1)
			c.at++; /* skips the slash before the first component */
		else
			put(&c, '.');
	}
	at = c.at;
	if (at >= c.out_size)
		return out;
	DT_OPAQUE(at);
	return out + at;
}
