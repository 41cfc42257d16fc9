/* What every runtime function includes: types, helpers, and how a function is exported.
 *
 * A function with scalar parameters is left global: the kernel verifies it once, by itself, however often a script
 * calls it. A function that follows pointers is hidden instead: libbpf then makes it static for the verifier, which
 * walks into it at every call and so knows what the caller knows of its pointers and sizes. All parameters are declared
 * as 64-bit numbers: that is how compiled code calls.
 *
 * Loops over text are bpf_loop() callbacks (kernel 5.17): one iteration is verified, not strsize of them. What an
 * iteration reads and an earlier one wrote must begin with DT_UNKNOWN: kernel 6.1 verifies the callback once, with the
 * values before the loop, and removes the branches those do not take; 6.18 would walk them value by value. */
#ifndef DT_RUNTIME_H
#define DT_RUNTIME_H

#include "bpf-runtime/abi.h"
#include "bpf-runtime/helpers.h"

#define DT_EXPORT __attribute__((noinline, used))
#define DT_HIDDEN __attribute__((noinline, used, visibility("hidden")))
#define DT_INLINE static inline __attribute__((always_inline))

typedef unsigned char dt_u8;
typedef unsigned short dt_u16;

#define DT_NOWHERE (~0ULL)

/* The value, of which the verifier then knows nothing: 0 is added, the difference of two numbers made of one pointer.
 *
 * Besides start values it is for results: one that is sometimes known to be 0 or 1 makes the verifier look twice at
 * everything after the call, and four times at what follows the next. */
#define DT_UNKNOWN(value)                                                                         \
	({                                                                                        \
		dt_u64 unknown = (value), one, other;                                             \
		asm volatile("%1 = r10; %1 = be64 %1; %2 = r10; %2 = be64 %2; %1 -= %2; %0 += %1" \
		             : "+r"(unknown), "=&r"(one), "=&r"(other));                          \
		unknown;                                                                          \
	})

/* After a bounds check: keeps the compiler from computing the address before it. Before one: from checking something
 * else instead. */
#define DT_OPAQUE(variable) asm volatile("" : "+r"(variable))

#endif
