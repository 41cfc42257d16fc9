/* Common header of all runtime functions: types, helpers, and the export of functions.
 *
 * A function with scalar parameters is global: the kernel verifies it once, however often a script calls it. A function
 * that dereferences pointers is hidden: libbpf makes it static for the verifier, which checks it at every call with the
 * caller's knowledge of pointers and sizes. All parameters are declared as 64-bit numbers, because compiled code passes
 * all arguments as such numbers.
 *
 * Loops over text are bpf_loop() callbacks (kernel 5.17), so the verifier analyses one iteration instead of strsize
 * iterations. A variable that one iteration writes and a later one reads must be initialized with DT_UNKNOWN. Kernel
 * 6.1 verifies the callback once, with the values before the loop, and removes branches that are not taken with these
 * values. Kernel 6.18 would analyze each value.
 *
 * DT_PLAIN_KERNEL selects the variant for kernels from 5.10 on. It uses no newer helper, no atomic instruction that
 * returns the old value, and no task storage. Its loops are ordinary jumps (DT_LOOP), so the verifier follows every
 * iteration. Its global functions have only scalar parameters. CMakeLists.txt lists the files that have this variant.
 *
 * DT_LOCKED selects the variant for kernels that are locked down, whose programs may not call bpf_probe_read_kernel()
 * or bpf_probe_read_kernel_str(). It copies memory of the program by loops, and loads members of kernel objects
 * directly. */
#ifndef DT_RUNTIME_H
#define DT_RUNTIME_H

#include "bpf-runtime/abi.h"

/* Kernel helpers by number (enum bpf_func_id, linux/bpf.h). */
static void *(*const bpf_map_lookup_elem)(void *map, const void *key) = (void *)1;
static long (*const bpf_map_update_elem)(void *map, const void *key, const void *value, dt_u64 flags) = (void *)2;
static dt_u64 (*const bpf_ktime_get_ns)(void) = (void *)5;
static dt_u32 (*const bpf_get_prandom_u32)(void) = (void *)7;
static dt_u64 (*const bpf_get_current_pid_tgid)(void) = (void *)14;
static long (*const bpf_get_current_comm)(void *buffer, dt_u32 size) = (void *)16;
static dt_u64 (*const bpf_get_current_task)(void) = (void *)35;
static long (*const bpf_probe_write_user)(void *dst, const void *src, dt_u32 size) = (void *)36;
static long (*const bpf_probe_read_user)(void *dst, dt_u32 size, const void *src) = (void *)112;
static long (*const bpf_probe_read_kernel)(void *dst, dt_u32 size, const void *src) = (void *)113;
static long (*const bpf_probe_read_user_str)(void *dst, dt_u32 size, const void *src) = (void *)114;
static long (*const bpf_probe_read_kernel_str)(void *dst, dt_u32 size, const void *src) = (void *)115;
static long (*const bpf_send_signal_thread)(dt_u32 signal) = (void *)117;
static dt_u64 (*const bpf_ktime_get_boot_ns)(void) = (void *)125;
static void *(*const bpf_task_storage_get)(void *map, void *task, void *value, dt_u64 flags) = (void *)156;
static void *(*const bpf_get_current_task_btf)(void) = (void *)158;
static dt_u64 (*const bpf_get_attach_cookie)(void *context) = (void *)174;
static long (*const bpf_task_pt_regs)(dt_u64 task) = (void *)175;
static long (*const bpf_loop)(dt_u32 count, void *callback, void *context, dt_u64 flags) = (void *)181;

/* Declares a numeric member of a map definition. libbpf reads the number from the member's type. */
#define MAP(kind, value) int(*kind)[value]

#define DT_EXPORT __attribute__((noinline, used))
#define DT_HIDDEN __attribute__((noinline, used, visibility("hidden")))
#define DT_INLINE static inline __attribute__((always_inline))

typedef unsigned char dt_u8;
typedef unsigned short dt_u16;

#define DT_NOWHERE (~0ULL)

/* Returns the value and hides all knowledge of it from the verifier, by adding 0. The 0 is computed as the difference
 * of two numbers made from the same pointer.
 *
 * Used for the start values of loops and for function results. If the verifier knew that a result is 0 or 1, it would
 * check all code after the call twice, and all code after the next such call four times. */
#define DT_UNKNOWN(value)                                                                         \
	({                                                                                        \
		dt_u64 unknown = (value), one, other;                                             \
		asm volatile("%1 = r10; %1 = be64 %1; %2 = r10; %2 = be64 %2; %1 -= %2; %0 += %1" \
		             : "+r"(unknown), "=&r"(one), "=&r"(other));                          \
		unknown;                                                                          \
	})

/* Calls step(i, context) for each i from 0 on, until step() returns not 0 or i reaches `count`. `most` is the maximum
 * of `count`; the verifier knows its value. The further arguments are pointers to the numbers that a step changes. */
#ifdef DT_PLAIN_KERNEL
/* On kernels without bpf_loop(), the verifier follows each iteration, because it knows the value of `dt_n`. At the
 * start of an iteration, the index for the step and the numbers that steps change are made unknown to the verifier. So
 * all paths through the previous iteration end in equal states, and the verifier continues only one of them. */
#define DT_LOOP(most, count, step, context, ...)                                                                     \
	do {                                                                                                         \
		const dt_u64 dt_zero = DT_UNKNOWN(0);                                                                \
		dt_u64 *const dt_changed[] = {__VA_ARGS__};                                                          \
		_Pragma("clang loop unroll(disable)") for (dt_u64 dt_n = 0; dt_n < (most); dt_n++)                   \
		{                                                                                                    \
			dt_u64 dt_i = dt_n;                                                                          \
			asm volatile("%0 += %1" : "+r"(dt_i) : "r"(dt_zero));                                        \
			_Pragma("unroll") for (dt_u64 dt_v = 0; dt_v < sizeof(dt_changed) / 8; dt_v++) asm volatile( \
				"%0 += %1" : "+r"(*dt_changed[dt_v]) : "r"(dt_zero));                                \
			if (dt_i >= (count) || (step)(dt_i, context))                                                \
				break;                                                                               \
		}                                                                                                    \
	} while (0)
#else
#define DT_LOOP(most, count, step, context, ...) bpf_loop(count, step, context, 0)
#endif

/* Hides the value of a variable from the compiler. After a bounds check, this keeps the compiler from computing an
 * address before the check. Before a check, it keeps the compiler from checking another expression instead. */
#define DT_OPAQUE(variable) asm volatile("" : "+r"(variable))

/* Returns the word at a kernel address, or 0 if it cannot be read. On locked-down kernels, the verifier must know
 * the type of the object. */
DT_INLINE dt_u64 dt_kernel_word(dt_u64 address)
{
#ifdef DT_LOCKED
	return *(const volatile dt_u64 *)address;
#else
	dt_u64 word = 0;

	return bpf_probe_read_kernel(&word, sizeof(word), (const void *)address) ? 0 : word;
#endif
}

#ifdef DT_LOCKED
struct dt_own_copy {
	dt_u8 *to;
	const dt_u8 *from;
	dt_u64 size, room;   /* constants: number of bytes at `to` and at `from` */
	dt_u64 start, limit; /* first byte to copy, and the number of bytes */
	dt_u64 is_text, length;
};

static long dt_copy_step(dt_u32 index, struct dt_own_copy *c)
{
	dt_u64 i = index, at = c->start + i;
	dt_u8 byte = 0;

	DT_OPAQUE(i);
	DT_OPAQUE(at);
	if (i >= c->size || i >= c->limit)
		return 1;
	c->length = i + 1;
	if (at < c->room && !(c->is_text && i + 1 >= c->limit))
		byte = c->from[at];
	c->to[i] = byte;
	return c->is_text && !byte;
}

/* Copies memory of the program: `limit` bytes from `start` on, or a text of at most `limit` bytes with its NUL.
 * `size` and `room`, constants, are the numbers of bytes at `to` and `from`. Returns the number of bytes. */
DT_INLINE dt_u64 dt_own_bytes(void *to, dt_u64 size, dt_u64 limit, const void *from, dt_u64 start, dt_u64 room,
                              dt_u64 is_text)
{
	struct dt_own_copy c = {(dt_u8 *)to, (const dt_u8 *)from, size, room, start, limit, is_text, DT_UNKNOWN(0)};

	bpf_loop(size, dt_copy_step, &c, 0);
	return c.length;
}
#endif

/* Returns an address as a plain number: byte swaps turn a pointer into a number for the verifier. */
#define DT_ADDRESS(pointer)                                                    \
	({                                                                     \
		dt_u64 dt_address = (dt_u64)(pointer);                         \
		asm volatile("%0 = be64 %0; %0 = be64 %0" : "+r"(dt_address)); \
		dt_address;                                                    \
	})

#endif
