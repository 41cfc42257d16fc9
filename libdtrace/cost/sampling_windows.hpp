// Decides when programs count and time their firings for -x cost: always if they fire rarely, otherwise in sampling
// windows.
//
// Counting and timing a firing takes some ns, which would distort the measured cost. So programs that fire often count
// and time only in windows. Each round has one window, at a random moment, and the firings in this window represent the
// whole round. Each timing switch controls programs with similar firing rates. The windows of all programs are open at
// the same time, so that the tracer wakes up only once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/cost/cost_counters.hpp"
#include "libdtrace/cost/cpu_speed.hpp"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt {

/// The firing counts of the programs that one timing switch controls. Also decides whether these programs use sampling
/// windows. Times are in ns. In numbers of firings, each firing in a window counts kWeight times.
class WindowedCounts {
public:
    bool is_sampled() const { return sampled_; }

    /// Adds `ns`, the length of this round's sampling window.
    void add_window(double ns) { window_ += ns; }
    /// Ends a round that took `ns`, and decides whether the next round uses windows. `firings` is the number of firings
    /// in the round, where each firing in a window counts kWeight times.
    void end_round(double ns, double firings);

    /// Returns how to extrapolate the counts of this timing switch to the whole trace. `running` is the time in ns
    /// since the start of the current round, whose firings have not been read yet.
    consume::SampledCount estimate(double running) const;

    /// length of a round divided by the length of its window, and thus the fixed weight of a firing
    static constexpr uint32_t kWeight = 100;
    static constexpr double kLowRate = 50'000; ///< rate up to which all firings are counted, in firings per second
    /// If the rate falls below this fraction of kLowRate, sampling windows are no longer used.
    static constexpr double kLowRateAgain = 0.5;

private:
    bool sampled_ = false;
    double window_ = 0; ///< length of the sampling windows in this round (ns)
    /// Sums over all rounds with windows: of the rounds' lengths in ns; of the firings, each with the fixed weight
    /// kWeight; of the firings, each with a weight computed from the actual lengths.
    double elapsed_ = 0, weighted_ = 0, firings_ = 0;
    /// Number of rounds with windows, sum of the firing rates (per ns) of these rounds, and sum of the squares of these
    /// rates.
    double rounds_ = 0, sum_ = 0, squares_ = 0;
};

/// Computes how often to check whether a low firing rate has become high. The interval is half of the time for which
/// the rate has been low.
class LowRateInterval {
public:
    /// Records the firings of a timing switch in the `ns` before `now` (CLOCK_MONOTONIC).
    void saw(double firings, uint64_t ns, uint64_t now)
    {
        if (since_ == 0 || firings > kLittle * static_cast<double>(ns) / static_cast<double>(kSecond))
            since_ = now;
    }
    /// Returns the time in ns from `now` until the next check.
    uint64_t lasts(uint64_t now) const { return std::min((now - since_) / 2, kMax); }

    static constexpr double kLittle = 5'000; ///< firing rate below which firings count as rare, in firings per second
    /// Maximum interval. After a rate has risen, all firings are counted and timed until the next check, which costs
    /// more.
    static constexpr uint64_t kMax = 10 * kSecond;

private:
    uint64_t since_ = 0; ///< time since which the rate has been low, in ns; 0 if no rate was recorded yet
};

class SamplingWindows {
public:
    /// `schema` and `cpu_speeds` must outlive this object.
    SamplingWindows(const Schema& schema, CpuSpeeds& cpu_speeds)
        : schema_(schema), cpu_speeds_(cpu_speeds), random_(std::random_device()())
    {
    }

    /// Opens the counters of the loaded object, at the start of tracing.
    Result<void> open(const LoadedMaps& maps, volatile dt_state& state);

    /// Begins or ends a sampling window, or checks the counters, if this is due. Otherwise does nothing.
    void act();
    /// Returns the time at which act() must be called next (CLOCK_MONOTONIC ns).
    uint64_t due() const { return due_; }
    /// Returns whether sampling windows are in use; if so, act() must be called at due().
    bool samples() const;

    /// Ends the last round. Must be called when tracing ends.
    void finish();

    consume::CostEstimate estimates() const;

    /// Stops the use of windows, so that measurements are not disturbed. With `is_on`, all firings are counted, and
    /// some of them are timed, as in windows. Without `is_on`, no firings are counted or timed.
    void force(bool is_on);

private:
    /// Whole: the round has no sampling window. Before, Within, Behind: the round is before, in or after its window.
    enum class Phase : uint8_t { Whole, Before, Within, Behind };

    using Firings = std::array<uint64_t, DT_TIMING_SWITCHES>;

    void turn_off(std::size_t timing_switch);
    void turn_on(std::size_t timing_switch);
    void change(std::size_t timing_switch);
    void begin_window();
    void end_window();
    bool read(Firings& fired);
    void check(uint64_t now);
    void end_round(uint64_t now, const Firings& fired);
    uint64_t round_ns() const;
    uint64_t until_check(uint64_t now) const;
    void measure_cpu_speed(uint64_t now, const std::vector<uint64_t>& fired);

    const Schema& schema_;
    CpuSpeeds& cpu_speeds_;
    volatile dt_state* state_ = nullptr;
    /// counters written by programs (dt_cost); if they are of medium size, they are mapped only while they are read
    SharedMap memory_;
    std::minstd_rand random_;
    /// counter slots (probes) whose counting each timing switch turns on and off
    std::array<std::vector<uint32_t>, DT_TIMING_SWITCHES> places_;
    Firings seen_{}; ///< number of firings of each timing switch at the start of the round
    /// Number of firings of each counter set at the last measurement of its CPU's speed.
    std::vector<uint64_t> fired_on_;
    uint64_t speed_measured_ = 0; ///< time of the last speed measurement (ns)
    /// number of the CPU from which the next measurements of CPU speeds continue
    std::size_t next_measured_cpu_ = 0;
    /// sum of the measured speeds, each multiplied by the CPU's number of firings; sum of these numbers of firings
    double sum_of_speeds_ = 0, measured_firings_ = 0;
    std::array<WindowedCounts, DT_TIMING_SWITCHES> books_;
    LowRateInterval low_rate_;
    std::size_t counters_ = 0;
    Phase phase_ = Phase::Whole;
    uint64_t opened_ = 0; ///< time when the counters were opened (ns)
    /// start of the round, start of its window, and time of the next call of act() (CLOCK_MONOTONIC ns)
    uint64_t began_ = 0, window_began_ = 0, due_ = UINT64_MAX;
    uint64_t ended_ = 0; ///< end of tracing in ns; 0 while it continues
};

} // namespace dt
