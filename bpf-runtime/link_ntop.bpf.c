/* link_ntop(): runtime reference 2.2. */
#include "bpf-runtime/runtime.h"

#define LONGEST 20 /* InfiniBand */

DT_INLINE dt_u8 hex(dt_u64 digit)
{
	return '0' + digit + ((9 - digit) >> 63) * ('a' - '0' - 10);
}

/* The `length` bytes at src as hexadecimal pairs with colons between them, in the 64 bytes at dst. length: 6 or 20, a constant.
 * 0; -1: src cannot be read. */
DT_HIDDEN dt_s64 dt_link_ntop(dt_u64 dst, dt_u64 src, dt_u64 length)
{
	dt_u8 *out = (dt_u8 *)dst;
	dt_u8 bytes[LONGEST] = {};
	int i;

	if (length > LONGEST || bpf_probe_read_kernel(bytes, length, (const void *)src))
		return -1;
#pragma unroll
	for (i = 0; i < LONGEST; i++) {
		out[i * 3] = hex(bytes[i] >> 4);
		out[i * 3 + 1] = hex(bytes[i] & 15);
		out[i * 3 + 2] = (dt_u64)i + 1 < length ? ':' : 0;
	}
	return 0;
}
