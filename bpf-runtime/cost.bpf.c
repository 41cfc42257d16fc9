/* Times of firings (-x cost). Each firing counts itself in compiled code; what is here runs for those that are timed.
 *
 * The clock is read twice at every end: the second reading tells what the first took, which is taken off. How seldom a
 * firing is timed follows from that and from what firings take: all readings together are to cost 1/500 of it. The
 * distance is random about that, so that no rhythm of what is traced agrees with it. A firing that stands for others
 * (dt_gate) pays with their time too. The clock is not that of bpf_ktime_get_ns(): in a program that is read once for
 * all who ask in a firing. */
#include "bpf-runtime/runtime.h"

#define SHARE 500          /* of the time of firings is for the clock */
#define MOST_BETWEEN 4096  /* firings, from one that is timed to the next */

/* The clauses of the firing begin. */
DT_HIDDEN dt_u64 dt_cost_begin(struct dt_cost *cost, struct dt_costing *timing)
{
	dt_u64 fired = cost->fired;

	timing->weight = fired - cost->counted;
	cost->counted = fired;
	cost->next = ~0ULL; /* set when it ends */
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

/* A clause has ended. Returns what reading the clock took. */
DT_HIDDEN dt_u64 dt_cost_clause(struct dt_cost_times *clause, struct dt_costing *timing)
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

/* The firing has ended, and with it its last clause. `of_probe` may be 0; `readings` are those of the clock in all, and
 * in its high word are the firings that each one stands for besides itself. */
DT_HIDDEN dt_u64 dt_cost_end(struct dt_cost *cost, struct dt_cost_times *clause, struct dt_cost_times *of_probe,
			     struct dt_costing *timing, dt_u64 readings)
{
	dt_u64 reading = dt_cost_clause(clause, timing) * (dt_u32)readings;
	dt_u64 ns = timing->ns, weight = timing->weight, timed = cost->timed + 1, each = (readings >> 32) + 1;
	dt_u64 between = reading * SHARE / ((ns + 1) * each);

	cost->timed = timed;
	cost->ns += ns * weight;
	cost->reading += reading;
	if (of_probe)
		enter(of_probe, ns, weight);
	if (between > timed) /* the first ones are cold */
		between = timed;
	if (between > MOST_BETWEEN)
		between = MOST_BETWEEN;
	if (between < 1)
		between = 1;
	cost->next = cost->fired + (1 + bpf_get_prandom_u32() % (2 * between - 1)) * each;
	return 0;
}
