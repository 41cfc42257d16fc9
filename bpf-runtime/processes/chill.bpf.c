/* chill(): keeps the CPU busy for a while, at most half of each second (dtrace-actions(7), chill; more is an illegal
 * operation). */
#include "bpf-runtime/runtime.h"

#define INTERVAL 1000000000ULL
#define MOST 500000000ULL
#define MOST_LOOPS (1 << 23) /* maximum iterations of bpf_loop() */
#define LOOKS 16             /* clock readings per iteration */

/* State of one CPU. */
struct account {
	dt_u64 since; /* start of the current interval */
	dt_u64 spent; /* ns spent in chill() in the current interval */
};

struct wait {
	dt_u64 from, ns;
};

static long look(dt_u32 i, struct wait *w)
{
	(void)i;
	for (int n = 0; n < LOOKS; n++)
		if (bpf_ktime_get_ns() - w->from >= w->ns)
			return 1;
	return 0;
}

/* Waits for `ns`. Returns 1 without waiting if that would exceed the limit. */
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
	bpf_loop(MOST_LOOPS, look, &w, 0);
	account->spent += ns;
	return DT_UNKNOWN(0);
}
