/* pr_psargs: the first bytes of the command line with blanks between the arguments, or the command's name if the
 * command line cannot be read. dtrace-variables(7), curpsinfo. */
#include "bpf-runtime/runtime.h"

#define SIZE 80

/* Byte offsets of members, 16 bits each, packed by dcompiler/lower/builtins/subroutines.cpp. */
#define TASK_MM(o) (0xffff & (o))
#define TASK_COMM(o) ((o) >> 16 & 0xffff)
#define MM_ARG_START(o) ((o) >> 32 & 0xffff)
#define MM_ARG_END(o) ((o) >> 48 & 0xffff)

/* Reads the command line into `text`. Returns its size in bytes, or 0. */
DT_INLINE dt_u64 command_line(dt_u8 *text, dt_u64 task, dt_u64 current, dt_u64 offsets)
{
#ifdef DT_LOCKED /* only the current task can be read, because the verifier knows only its type */
	dt_u64 mm = dt_kernel_word((dt_u64)bpf_get_current_task_btf() + TASK_MM(offsets)), start, length;
#else
	dt_u64 mm = dt_kernel_word(task + TASK_MM(offsets)), start, length;
#endif

	if (task != current || !mm)
		return 0;
	start = dt_kernel_word(mm + MM_ARG_START(offsets));
	length = dt_kernel_word(mm + MM_ARG_END(offsets)) - start;
	if (!start || !length)
		return 0;
	if (length > SIZE)
		length = SIZE;
	DT_OPAQUE(length);
	if (length > SIZE || bpf_probe_read_user(text, length, (const void *)start))
		return 0;
	return length;
}

/* Replaces zero bytes by blanks, eight bytes at a time and without branches: a loop over 80 bytes has too many paths
 * for the verifier. */
DT_INLINE dt_u64 blanks_for_zeros(dt_u64 word)
{
	const dt_u64 low = 0x7f7f7f7f7f7f7f7fULL, tops = ~(((word & low) + low) | word | low); /* 0x80 where a byte is 0 */

	return word | tops >> 2; /* 0x20 is ' ' */
}

/* Writes the text to `room`, which has SIZE bytes. */
DT_HIDDEN dt_u64 dt_psargs(dt_u64 room, dt_u64 task, dt_u64 current, dt_u64 offsets)
{
	dt_u8 *text = (dt_u8 *)room;
	dt_u64 *words = (dt_u64 *)room;
	dt_u64 length = command_line(text, task, current, offsets);

	if (!length) {
		text[0] = 0;
#ifdef DT_LOCKED
		if (task == current)
			bpf_get_current_comm(text, 16);
#else
		bpf_probe_read_kernel_str(text, 16, (const void *)(task + TASK_COMM(offsets)));
#endif
		return room;
	}
	for (dt_u64 i = 0; i < SIZE / 8; i++)
		words[i] = blanks_for_zeros(words[i]);
	length--;
	DT_OPAQUE(length);
	if (length < SIZE)
		text[length] = 0;
	return room;
}
