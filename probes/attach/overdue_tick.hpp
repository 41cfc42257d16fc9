// A tick that has not come is asked for again.
//
// The kernel skips the program of a perf event when another program runs on that CPU (bpf_overflow_handler(),
// kernel/events/core.c), and counts nothing. Where programs run most of the time, as those of busy kernel functions do,
// most ticks would be missing: exit() in one of them might never come. The clock goes on as it was, so a tick that is
// late makes none of those after it late.
//
// To look after it wakes who sleeps. So one whose tick has come by itself for long waits longer: for a period, and for
// a second at most.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "bpf-runtime/abi.h"

namespace dt::probes {

class OverdueTick {
public:
    /// A perf event of the CPU's clock with the tick's program, disabled; or a negative errno.
    using Open = std::function<int(int cpu, uint64_t period_ns)>;

    /// `tick` must outlive this. `period`: ns.
    OverdueTick(volatile dt_tick& tick, uint64_t period, Open open)
        : tick_(tick), period_(static_cast<int64_t>(period)), open_(std::move(open))
    {
    }
    OverdueTick(const OverdueTick&) = delete;
    OverdueTick& operator=(const OverdueTick&) = delete;
    ~OverdueTick();

    /// The clock begins now, on that CPU.
    void begin(int cpu);

    /// Of several that are overdue one is asked for.
    void look() { look(now()); }
    /// `time`: CLOCK_MONOTONIC, ns.
    void look(int64_t time);

    /// ns from `time` until somebody has to look() again, which asks if the tick has not come; 0 while it is asked for.
    int64_t until_late(int64_t time) const;

    static int64_t now();

private:
    int64_t patience() const;
    void ask();
    void stop_asking();
    void close_event();

    volatile dt_tick& tick_;
    int64_t period_;
    Open open_;
    int64_t began_ = 0;
    int64_t before_ = 0; ///< runs that do not count
    int64_t late_ = 0;   ///< runs until one was late
    int cpu_ = 0;
    int event_ = -1; ///< that asks again; kept, because closing it takes the kernel long
    bool asking_ = false;
};

} // namespace dt::probes
