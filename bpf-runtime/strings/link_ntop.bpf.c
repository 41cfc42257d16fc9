/* link_ntop(): dtrace-actions(7), link_ntop. */
#include "bpf-runtime/runtime.h"

#define LONGEST 20 /* size in bytes of the longest address, that of InfiniBand */

DT_INLINE dt_u8 hex(dt_u64 digit)
{
	return '0' + digit + ((9 - digit) >> 63) * ('a' - '0' - 10);
}

/* Writes the `length` bytes at src as hexadecimal pairs with colons to the 64 bytes at dst. length is the constant 6 or
 * 20. */
DT_HIDDEN dt_u64 dt_link_ntop(dt_u64 dst, dt_u64 src, dt_u64 length)
{
	const dt_u8 *bytes = (const dt_u8 *)src;
	dt_u8 *out = (dt_u8 *)dst;
	int i;

#pragma unroll
	for (i = 0; i < LONGEST; i++) {
		if ((dt_u64)i >= length)
			break;
		out[i * 3] = hex(bytes[i] >> 4);
		out[i * 3 + 1] = hex(bytes[i] & 15);
		out[i * 3 + 2] = (dt_u64)i + 1 < length ? ':' : 0;
	}
	return 0;
}
