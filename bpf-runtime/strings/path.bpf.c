/* basename() and dirname(): dtrace-actions(7), basename. */
#include "bpf-runtime/runtime.h"

struct path {
	const dt_u8 *text;
	dt_u64 size;
	dt_u64 start, end; /* bounds of the last path component that was found so far */
	dt_u64 before;     /* end of the path component before the last one */
	dt_u64 length;
	dt_u64 inside;
};

static long step(dt_u32 i, struct path *p)
{
	dt_u8 c;

	if (i >= p->size)
		return 1;
	c = p->text[i];
	if (!c)
		return 1;
	p->length = i + 1;
	if (c == '/') {
		p->inside = 0;
		return 0;
	}
	if (!p->inside) {
		p->inside = 1;
		p->before = p->end;
		p->start = i;
	}
	p->end = i + 1;
	return 0;
}

DT_INLINE void walk(struct path *p)
{
	p->start = DT_UNKNOWN(0);
	p->end = DT_UNKNOWN(0);
	p->before = DT_UNKNOWN(0);
	p->length = DT_UNKNOWN(0);
	p->inside = DT_UNKNOWN(0);
	DT_LOOP(p->size, p->size, step, p, &p->start, &p->end, &p->before, &p->length, &p->inside);
}

DT_INLINE void name(dt_u8 *dst, dt_u8 c)
{
	dst[0] = c;
	dst[1] = 0;
}

/* Copies `length` characters from src + start. `size` is a constant: the size of dst, and an upper bound of `start` and
 * `length`.
 */
DT_INLINE void part(dt_u8 *dst, dt_u64 size, const dt_u8 *src, dt_u64 src_size, dt_u64 start, dt_u64 length)
{
#ifdef DT_LOCKED
	dt_own_bytes(dst, size, length + 1, src, start, src_size, 1);
#else
	(void)src_size;
	DT_OPAQUE(start);
	DT_OPAQUE(length);
	if (start < size && length < size)
		bpf_probe_read_kernel_str(dst, length + 1, src + start);
#endif
}

/* `path` must be readable up to its NUL or path_size bytes; dst has room for `size` bytes. */
DT_HIDDEN dt_u64 dt_basename(dt_u64 dst, dt_u64 size, dt_u64 path, dt_u64 path_size)
{
	struct path p = {(const dt_u8 *)path, path_size};

	walk(&p);
	if (p.end)
		part((dt_u8 *)dst, size, p.text, path_size, p.start, p.end - p.start);
	else
		name((dt_u8 *)dst, p.length ? '/' : '.');
	return 0;
}

DT_HIDDEN dt_u64 dt_dirname(dt_u64 dst, dt_u64 size, dt_u64 path, dt_u64 path_size)
{
	struct path p = {(const dt_u8 *)path, path_size};

	walk(&p);
	if (p.before)
		part((dt_u8 *)dst, size, p.text, path_size, 0, p.before);
	else
		name((dt_u8 *)dst, p.start || (p.length && !p.end) ? '/' : '.');
	return 0;
}
