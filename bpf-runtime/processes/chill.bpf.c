/* chill(): keeps the CPU busy for a given time. More than half of each second is refused as an illegal operation
 * (dtrace-actions(7), chill). */
#include "bpf-runtime/runtime.h"

#define INTERVAL 1000000000ULL
#define MOST 500000000ULL
#ifdef DT_PLAIN_KERNEL
#define MOST_LOOPS 1024
#else
#define MOST_LOOPS (1 << 23) /* maximum iterations of bpf_loop() */
#define LOOKS 16             /* clock readings per iteration */
#endif

/* State of one CPU. */
struct account {
	dt_u64 since; /* start time of the current interval of one second */
	dt_u64 spent; /* ns spent in chill() in the current interval */
};

struct wait {
	dt_u64 from, ns;
};

#ifdef DT_PLAIN_KERNEL

/* The verifier follows each iteration of a loop and accepts at most 8192 in a function. So the iterations are
 * divided among three nested functions, each verified once. Together they allow a billion iterations, more than a
 * CPU can do in the maximum time of chill(), MOST. */
#define ROUNDS 1024

DT_EXPORT dt_u64 dt_chill_shortly(dt_u64 from, dt_u64 ns)
{
#pragma clang loop unroll(disable)
	for (int n = 0; n < ROUNDS; n++)
		if (bpf_ktime_get_ns() - from >= ns)
			return 1;
	return 0;
}

DT_EXPORT dt_u64 dt_chill_longer(dt_u64 from, dt_u64 ns)
{
#pragma clang loop unroll(disable)
	for (int n = 0; n < ROUNDS; n++)
		if (dt_chill_shortly(from, ns))
			return 1;
	return 0;
}

static long look(dt_u32 i, struct wait *w)
{
	(void)i;
	return dt_chill_longer(w->from, w->ns);
}

#else

static long look(dt_u32 i, struct wait *w)
{
	(void)i;
	for (int n = 0; n < LOOKS; n++)
		if (bpf_ktime_get_ns() - w->from >= w->ns)
			return 1;
	return 0;
}

#endif

/* Keeps the CPU busy for `ns` nanoseconds. Returns 1 without waiting if that would exceed the limit. */
DT_HIDDEN dt_u64 dt_chill(dt_u64 cpu, dt_u64 ns)
{
	struct account *account = (struct account *)cpu;
	struct wait w = {bpf_ktime_get_ns(), ns};

	if (w.from - account->since > INTERVAL) {
		account->since = w.from;
		account->spent = 0;
	}
	if (ns > MOST || account->spent + ns > MOST)
		return DT_UNKNOWN(1);
	DT_LOOP(MOST_LOOPS, MOST_LOOPS, look, &w);
	account->spent += ns;
	return DT_UNKNOWN(0);
}
