/* substr(): dtrace-actions(7), substr. */
#include "bpf-runtime/runtime.h"

/* n characters of src from i on in dst, which has room for `size` bytes. n omitted is n very large: more than an int.
 * src is readable. */
DT_HIDDEN dt_u64 dt_substr(dt_u64 dst, dt_u64 size, dt_u64 src, dt_s64 i, dt_s64 n)
{
	dt_u8 *out = (dt_u8 *)dst;
	dt_s64 length = bpf_probe_read_kernel_str(out, size, (const void *)src) - 1;

	if (i < 0)
		i += length;
	if (i < 0) { /* characters before the first one count */
		n = n <= -i ? 0 : n + i;
		i = 0;
	}
	if (n < 0) /* that many characters before the end */
		n = length - i + n < 0 ? 0 : length - i + n;
	if (i >= length)
		n = i = 0;
	else if (n > length - i)
		n = length - i;
	DT_OPAQUE(i);
	DT_OPAQUE(n);
	if ((dt_u64)i < size && (dt_u64)n < size)
		bpf_probe_read_kernel_str(out, n + 1, out + i); /* forward, byte by byte: the two may overlap */
	return 0;
}
