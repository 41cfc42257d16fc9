/* strjoin(): dtrace-actions(7), strjoin. */
#include "bpf-runtime/runtime.h"

/* Writes a followed by b to dst, truncated to size - 1 characters. dst has room for 2 * size bytes, because the
 * verifier does not know that the second copy ends within `size` bytes. a and b must be readable. */
DT_HIDDEN dt_u64 dt_strjoin(dt_u64 dst, dt_u64 size, dt_u64 a, dt_u64 b)
{
	dt_u8 *out = (dt_u8 *)dst;
#ifdef DT_LOCKED
	dt_u64 length = dt_own_bytes(out, size, size, (const void *)a, 0, size, 1) - 1;

	DT_OPAQUE(length);
	if (length < size)
		dt_own_bytes(out + length, size, size, (const void *)b, 0, size, 1);
#else
	dt_u64 length = bpf_probe_read_kernel_str(out, size, (const void *)a) - 1;

	if (length < size)
		bpf_probe_read_kernel_str(out + length, size, (const void *)b);
#endif
	out[size - 1] = 0;
	return 0;
}
