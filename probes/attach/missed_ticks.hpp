// Repeats timer ticks that are overdue.
//
// The kernel skips the program of a perf event if another program runs on that CPU (bpf_overflow_handler(),
// kernel/events/core.c), and does not count the loss. If programs run most of the time, for instance on busy kernel
// functions, most ticks would be lost, and an exit() in a tick probe might never run. The event's clock itself
// continues, so a late tick does not delay later ones.
//
// Each check for overdue ticks wakes the tracer. So after many punctual ticks, the next check is later: up to one
// period, and at most one second, after the tick was due.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "bpf-runtime/abi.h"

namespace dt::probes {

class MissedTick {
public:
    /// Opens a disabled perf event of the CPU's clock and sets the tick's program on it. Returns its descriptor or a
    /// negative errno.
    using Open = std::function<int(int cpu, uint64_t period_ns)>;

    /// `tick` contains the counters that tracer and program share, and must outlive this object. `period` is in ns.
    MissedTick(volatile dt_tick& tick, uint64_t period, Open open)
        : tick_(tick), period_(static_cast<int64_t>(period)), open_(std::move(open))
    {
    }
    MissedTick(const MissedTick&) = delete;
    MissedTick& operator=(const MissedTick&) = delete;
    ~MissedTick();

    /// Starts the tick's clock on `cpu` now.
    void begin(int cpu);

    /// Repeats a tick if any is overdue; several overdue ticks are repeated once.
    void check() { check(now()); }
    /// Like check(), but takes the current time from the caller (CLOCK_MONOTONIC, ns).
    void check(int64_t time);

    /// Returns the time in ns from `time` until check() must be called again; 0 while a tick is being repeated.
    int64_t until_tick_is_late(int64_t time) const;

    static int64_t now();

private:
    int64_t patience() const;
    void request_tick();
    void stop_requesting();
    void close_event();

    volatile dt_tick& tick_;
    int64_t period_;
    Open open_;
    int64_t began_ = 0;
    /// tick_.ran - before_ is the number of due ticks that have run or need not be repeated any more
    int64_t before_ = 0;
    int64_t late_ = 0; ///< value of tick_.ran when a tick was last late
    int cpu_ = 0;
    int event_ = -1; ///< event that repeats ticks; it stays open, because closing an event is slow
    bool is_requested_ = false;
};

} // namespace dt::probes
