/* substr(): dtrace-actions(7), substr. */
#include "bpf-runtime/runtime.h"

/* Writes n characters of src from index i on to dst, which has room for `size` bytes. If the script omits n, the caller
 * passes a number larger than any int. src must be readable. */
DT_HIDDEN dt_u64 dt_substr(dt_u64 dst, dt_u64 size, dt_u64 src, dt_s64 i, dt_s64 n)
{
	dt_u8 *out = (dt_u8 *)dst;
#ifdef DT_LOCKED
	dt_s64 length = (dt_s64)dt_own_bytes(out, size, size, (const void *)src, 0, size, 1) - 1;
#else
	dt_s64 length = bpf_probe_read_kernel_str(out, size, (const void *)src) - 1;
#endif

	if (i < 0)
		i += length;
	if (i < 0) { /* a negative index counts from the end of the string; the length includes characters before the start
                 of the string */
		n = n <= -i ? 0 : n + i;
		i = 0;
	}
	if (n < 0) /* if n is negative, the result ends -n characters before the end of src */
		n = length - i + n < 0 ? 0 : length - i + n;
	if (i >= length)
		n = i = 0;
	else if (n > length - i)
		n = length - i;
	DT_OPAQUE(i);
	DT_OPAQUE(n);
#ifdef DT_LOCKED
	dt_own_bytes(out, size, n + 1, out, i, size, 1); /* this helper also copies forward, byte by byte */
#else
	if ((dt_u64)i < size && (dt_u64)n < size)
		bpf_probe_read_kernel_str(out, n + 1, out + i); /* both ranges may overlap, because the helper copies forward, byte
                                                     by byte */
#endif
	return 0;
}
