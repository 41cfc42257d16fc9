/* getenv(): the value of a variable in the environment that the current process got from exec(). dtrace-actions(7),
 * getenv. */
#include "bpf-runtime/runtime.h"

#define MOST_STEPS 1024 /* maximum number of parts that are read; a short string is one part */
#define PART 128        /* maximum size of a part of a string in bytes, with a NUL */
#define WORDS 8         /* maximum size of a variable's name with "=", in words */

/* Byte offsets of members, 16 bits each, packed by dcompiler/lower/builtins/subroutines.cpp. */
#define TASK_MM(o) (0xffff & (o))
#define MM_ENV_START(o) ((o) >> 16 & 0xffff)
#define MM_ENV_END(o) ((o) >> 32 & 0xffff)

/* what getenv() looks for: the name with "=", and a mask with 0xff for each of its bytes */
struct wanted {
	dt_u64 name[WORDS], mask[WORDS], length;
};

struct scan {
	dt_u64 *room;
	const struct wanted *wanted;
	dt_u64 at, end;
	dt_u64 inside; /* 1 if `at` is inside a string that is longer than a part */
	dt_u64 found;  /* address of the variable's value, or 0 */
};

static long step(dt_u32 i, struct scan *s)
{
	dt_u64 differs = s->inside;
	dt_s64 length;

	(void)i;
	if (s->at >= s->end)
		return 1;
	length = bpf_probe_read_user_str(s->room, PART, (const void *)s->at);
	if (length < 0)
		return 1;
#pragma unroll
	for (dt_u64 word = 0; word < WORDS; word++)
		differs |= (s->room[word] ^ s->wanted->name[word]) & s->wanted->mask[word];
	if (!differs) {
		s->found = s->at + s->wanted->length;
		return 1;
	}
	/* If a string fills the part, the remainder of the string is read next. The remainder may be only the NUL. For
	 * an empty string, the helper returns 0 instead of 1 on kernels before 6.15. */
	s->inside = length == PART;
	s->at += length - (length > 0) + !s->inside;
	return 0;
}

/* Writes the value of a variable to `room`, at most `size` bytes with its NUL. Returns `room`, or 0 if the variable
 * does not exist. `room` is aligned to 8 and has at least PART bytes; `size` is a constant. */
DT_HIDDEN dt_u64 dt_getenv(dt_u64 room, dt_u64 size, dt_u64 wanted, dt_u64 offsets)
{
	struct scan s = {(dt_u64 *)room, (const struct wanted *)wanted, 0, 0, 0, 0};
#ifdef DT_LOCKED
	dt_u64 mm = dt_kernel_word((dt_u64)bpf_get_current_task_btf() + TASK_MM(offsets));
#else
	dt_u64 mm = dt_kernel_word(bpf_get_current_task() + TASK_MM(offsets));
#endif

	if (!mm)
		return 0;
	s.at = dt_kernel_word(mm + MM_ENV_START(offsets));
	s.end = dt_kernel_word(mm + MM_ENV_END(offsets));
	s.inside = DT_UNKNOWN(0);
	s.found = DT_UNKNOWN(0);
	DT_LOOP(MOST_STEPS, MOST_STEPS, step, &s, &s.at, &s.inside, &s.found);
	if (!s.found)
		return 0;
	((dt_u8 *)room)[0] = 0;
	bpf_probe_read_user_str((void *)room, size, (const void *)s.found);
	return room;
}
