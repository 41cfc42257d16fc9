/* strjoin(): dtrace-actions(7), strjoin. */
#include "bpf-runtime/runtime.h"

/* a followed by b in dst, cut at size - 1 characters. dst has room for 2 * size bytes: the verifier does not see that
 * what one copy leaves is what the other may take. a and b are readable. */
DT_HIDDEN dt_u64 dt_strjoin(dt_u64 dst, dt_u64 size, dt_u64 a, dt_u64 b)
{
	dt_u8 *out = (dt_u8 *)dst;
	dt_u64 length = bpf_probe_read_kernel_str(out, size, (const void *)a) - 1;

	if (length < size)
		bpf_probe_read_kernel_str(out + length, size, (const void *)b);
	out[size - 1] = 0;
	return 0;
}
