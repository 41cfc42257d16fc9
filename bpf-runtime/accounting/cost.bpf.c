/* Times firings (-x cost). Compiled code counts each firing; this code runs only for timed ones.
 *
 * At the start and at the end of a firing, the clock is read twice in a row. The difference is the cost of a reading,
 * which is subtracted. The interval between timed firings is chosen so that all readings take 1/500 of the time of
 * firings. It is randomized, so that it does not resonate with rhythms of the traced system. The time of a firing that
 * represents further firings (dt_timing_switch) includes theirs. The code uses another clock than bpf_ktime_get_ns(),
 * whose value compiled programs reuse during a firing. */
#include "bpf-runtime/runtime.h"

#define SHARE 500          /* 1/SHARE of the time of firings may be spent on the clock */
#define MOST_BETWEEN 4096  /* maximum number of firings between two timed ones */

/* Called before the clauses of a timed firing. */
DT_HIDDEN dt_u64 dt_cost_begin(struct dt_cost *cost, struct dt_timed_hit *timing)
{
	dt_u64 fired = cost->fired;

	timing->weight = fired - cost->counted;
	cost->counted = fired;
	cost->next = ~0ULL; /* no other firing is timed until this one ends and sets `next` */
	timing->ns = 0;
	timing->since = bpf_ktime_get_boot_ns();
	return 0;
}

DT_INLINE dt_u64 bucket_of(dt_u64 ns)
{
	dt_u64 power = 0, rest = ns;

	if (ns < 4)
		return ns;
	if (ns >> 32)
		return DT_COST_BUCKETS - 1;
	if (rest >> 16) {
		power = 16;
		rest >>= 16;
	}
	if (rest >> 8) {
		power += 8;
		rest >>= 8;
	}
	if (rest >> 4) {
		power += 4;
		rest >>= 4;
	}
	if (rest >> 2) {
		power += 2;
		rest >>= 2;
	}
	power += rest >> 1;
	return 4 + (power - 2) * 4 + (ns >> (power - 2) & 3);
}

DT_INLINE void enter(struct dt_cost_times *times, dt_u64 ns, dt_u64 weight)
{
	dt_u64 bucket = bucket_of(ns);

	__sync_fetch_and_add(&times->timed, 1);
	__sync_fetch_and_add(&times->ns, ns * weight);
	if (ns > times->most)
		times->most = ns;
	DT_OPAQUE(bucket);
	if (bucket < DT_COST_BUCKETS)
		__sync_fetch_and_add(&times->firings[bucket], weight);
}

/* Called after each clause. Returns the number of ns that reading the clock takes. */
DT_HIDDEN dt_u64 dt_cost_clause(struct dt_cost_times *clause, struct dt_timed_hit *timing)
{
	dt_u64 now = bpf_ktime_get_boot_ns();
	dt_u64 reading = bpf_ktime_get_boot_ns() - now;
	dt_u64 ns = now - timing->since;

	ns = ns > reading ? ns - reading : 0;
	timing->ns += ns;
	enter(clause, ns, timing->weight);
	timing->since = bpf_ktime_get_boot_ns();
	return reading;
}

/* Called after the last clause of the firing. `of_probe` may be null. The low word of `readings` is the number of
 * clock readings; the high word is the number of further firings that each timed firing represents. */
DT_HIDDEN dt_u64 dt_cost_end(struct dt_cost *cost, struct dt_cost_times *clause, struct dt_cost_times *of_probe,
                             struct dt_timed_hit *timing, dt_u64 readings)
{
	dt_u64 reading = dt_cost_clause(clause, timing) * (dt_u32)readings;
	dt_u64 ns = timing->ns, weight = timing->weight, timed = cost->timed + 1, each = (readings >> 32) + 1;
	dt_u64 between = reading * SHARE / ((ns + 1) * each);

	cost->timed = timed;
	cost->ns += ns * weight;
	cost->reading += reading;
	if (of_probe)
		enter(of_probe, ns, weight);
	if (between > timed) /* the first firings run with cold caches, so the interval grows slowly */
		between = timed;
	if (between > MOST_BETWEEN)
		between = MOST_BETWEEN;
	if (between < 1)
		between = 1;
	cost->next = cost->fired + (1 + bpf_get_prandom_u32() % (2 * between - 1)) * each;
	return 0;
}
