// -x cost: counts and times the firings of programs that fire seldom all the time, and of others for a part of it.
//
// A firing that is counted and timed pays some ns for that, which is a part of what it is to measure. So programs that
// fire often do so in windows, of which each round has one, at a moment that chance picks; what is seen there stands
// for the round. Programs that share a gate are alike. All windows are open at the same time, so that the tracer is not
// woken for each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/gate_estimate.hpp"
#include "libdtrace/load/shared_map.hpp"
#include "libdtrace/trace/call_time.hpp"

namespace dt {

/// What one gate has seen, and whether it is to have windows. Times are ns, firings as programs count them.
class GateBook {
public:
    bool is_sampled() const { return sampled_; }

    /// In this round a window has been open for so long.
    void add_window(double ns) { window_ += ns; }
    /// A round of so long has ended, in which so many firings were seen or stood for: what it is in the next.
    void end_round(double ns, double firings);

    /// `running`: for so long a round has gone on whose firings nobody has seen yet.
    consume::GateEstimate estimate(double running) const;

    static constexpr uint32_t kWeight = 100;    ///< rounds are so many times as long as their windows
    static constexpr double kSeldom = 50'000;   ///< firings a second that are all counted
    static constexpr double kSeldomAgain = 0.5; ///< times that

private:
    bool sampled_ = false;
    double window_ = 0;                                ///< ns, of this round
    double elapsed_ = 0, stood_for_ = 0, firings_ = 0; ///< of sampled rounds: ns, firings as seen, all of them
    double rounds_ = 0, sum_ = 0, squares_ = 0;        ///< firings a ns, of sampled rounds
};

/// How long nobody needs to look whether it has become much: half as long as it has been little.
class Calm {
public:
    /// Firings of a gate, within so many ns until `now` (CLOCK_MONOTONIC).
    void saw(double firings, uint64_t ns, uint64_t now)
    {
        if (since_ == 0 || firings > kLittle * static_cast<double>(ns) / static_cast<double>(kSecond))
            since_ = now;
    }
    /// ns, from `now`.
    uint64_t lasts(uint64_t now) const { return std::min((now - since_) / 2, kMost); }

    static constexpr double kLittle = 5'000;        ///< firings a second
    static constexpr uint64_t kMost = 10 * kSecond; ///< then all are counted and timed for so long, which is dearer

private:
    uint64_t since_ = 0; ///< ns; 0: nothing was seen yet
};

class CostGates {
public:
    /// Both must outlive this.
    CostGates(const Schema& schema, Paces& paces) : schema_(schema), paces_(paces), random_(std::random_device()()) {}

    /// Of the loaded object, as tracing begins.
    Result<void> open(const LoadedMaps& maps, volatile dt_state& state);

    /// Does what is due.
    void act();
    /// ns, CLOCK_MONOTONIC: when something is due again.
    uint64_t due() const { return due_; }
    /// Whether some gate has windows: then due() is to be kept.
    bool samples() const;

    /// Tracing ends: the last round has.
    void finish();

    consume::CostEstimate estimates() const;

    /// For who measures what firings take: all are counted, and timed as densely as in windows, or none. No windows any
    /// more.
    void force(bool open);

private:
    enum class Phase : uint8_t { Whole, Before, Within, Behind }; ///< of a round: without windows, or where its is

    using Firings = std::array<uint64_t, DT_GATES>;

    void close(std::size_t gate);
    void open(std::size_t gate);
    void change(std::size_t gate);
    void begin_window();
    void end_window();
    bool read(Firings& fired);
    void look(uint64_t now);
    void end_round(uint64_t now, const Firings& fired);
    uint64_t round_ns() const;
    uint64_t until_look(uint64_t now) const;
    void look_at_paces(uint64_t now, const std::vector<uint64_t>& fired);

    const Schema& schema_;
    Paces& paces_;
    volatile dt_state* state_ = nullptr;
    SharedMap memory_; ///< of dt_cost; hidden where it is large
    std::minstd_rand random_;
    std::array<std::vector<uint32_t>, DT_GATES> places_; ///< of those behind each gate
    Firings seen_{};                                     ///< when the round began
    std::vector<uint64_t> fired_on_;                     ///< of each set, when paces were looked at
    uint64_t paced_ = 0;                                 ///< ns: then
    std::size_t next_pace_ = 0;                          ///< CPU
    double sum_of_paces_ = 0, paced_firings_ = 0;        ///< sum of the paces, each times firings, and of these
    std::array<GateBook, DT_GATES> books_;
    Calm calm_;
    std::size_t counters_ = 0;
    Phase phase_ = Phase::Whole;
    uint64_t opened_ = 0;                                      ///< ns
    uint64_t began_ = 0, window_began_ = 0, due_ = UINT64_MAX; ///< ns: of the round
    uint64_t ended_ = 0;                                       ///< ns; 0: tracing goes on
};

} // namespace dt
