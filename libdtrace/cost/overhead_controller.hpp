// Applies -x maxcost to a running trace. It reads the programs' counts and times, passes them to the governor, and
// applies the governor's sampling rates and windows.
//
// A program that is attached only part of the time is attached in windows. A window's firings also represent half of
// the gap before it and half of the gap after it. Their weight depends on the lengths of window and gaps, and on an
// estimate: how much more often the program would fire in a gap (rate_correction.hpp). The last window also represents
// time after the end of the trace, so the aggregations are corrected at the end. Notes report the possible error of
// totals (overhead_windows.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/cost/cost_counters.hpp"
#include "libdtrace/cost/cpu_speed.hpp"
#include "libdtrace/cost/governor.hpp"
#include "libdtrace/cost/rate_correction.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/output/messages.hpp"

namespace dt {

/// Callbacks through which the overhead controller acts on its trace.
struct OverheadActions {
    std::function<Result<void>(const ProgramPlan& program, bool attached)> attach;
    std::function<void(const output::Note& note)> tell;
    std::function<void(consume::DropReason cause, uint64_t count, consume::LossTime when)> lose;
    std::function<std::string(const ProgramPlan& program)> name; ///< returns the names of a program's probes as text
    pid_t target = 0;                                            ///< process id of $target; 0 if there is none
    std::set<uint32_t> of_target; ///< ids of the statements whose predicate is true only in the process $target
};

class OverheadController {
public:
    /// `limit` is the value of option maxcost: a number of CPUs or, if negative, a share of the machine. `schema` must
    /// outlive this object.
    OverheadController(const Schema& schema, double limit, uint32_t cpus, consume::HookOverheads overheads,
                       OverheadActions actions);

    /// Opens the counters of the loaded object. Must be called before programs are attached. Tracing begins at `now`
    /// (CLOCK_MONOTONIC ns).
    Result<void> open(const LoadedMaps& maps, uint64_t now);

    /// Measures the load, adapts sampling rates, and begins or ends windows, as far as this is due. Reports changed
    /// rates.
    void act(uint64_t now);
    /// Returns the time at which act() must be called next (CLOCK_MONOTONIC ns).
    uint64_t due() const;

    /// Must be called at the end of the trace, `now` (CLOCK_MONOTONIC ns). Counts the losses since the last
    /// measurement. Also computes how much of the last window's weight stands for time after `now`.
    void finish(uint64_t now);
    /// Returns, after finish(), the factor by which each aggregation's counts and sums must be multiplied, by
    /// aggregation id. The factor is 1 if no window was used.
    std::vector<double> corrections() const;
    /// Returns, after finish(), a note for each program whose totals may differ from the true value by more than 2 %.
    std::vector<output::Note> errors() const;

private:
    struct Counted {
        /// `seen`: number of all firings. `taken`: number of executed firings. `weighted`: sum of the weights of the
        /// executed firings (how many firings each of them represents).
        uint64_t seen = 0, taken = 0, weighted = 0;
        uint64_t timed = 0, ns = 0; ///< number of firings whose time was measured, and the sum of these times in ns
        dt_cost_times times{};      ///< distribution of the firings' times in ns; only valid if Member::has_times
    };
    /// A part of a program: either its probes that end entry/return pairs, or all its other probes.
    struct Member {
        const ProgramPlan* plan = nullptr;
        bool continues = false;       ///< whether the probes end entry/return pairs (CountedProbe::continues)
        std::vector<uint32_t> places; ///< counter slots of the part's probes (indexes in Schema::counted)
        double outside = 0;           ///< hook overhead in ns on a CPU where an untraced system call takes call_ ns
        double spread = 0;            ///< measurement error of `outside` in ns
        bool is_measured = false;     ///< whether `outside` was measured; otherwise it is an assumed value
        bool has_times = false;
        double program = 0; ///< ns that an executed firing spends in the program
        Counted last;
        /// Numbers of skipped and missed firings that were already added to the drop counts.
        uint64_t entered_sampled_out = 0, entered_missed = 0;
    };
    struct OnCpu {
        GapRateFactor rate_factor;
        uint64_t seen = 0; ///< number of firings at the start of the sampling window
        /// Used only while the group has no sampling windows: `looked` is the firing count at the last measurement,
        /// `lately` its increase between the last two measurements.
        uint64_t looked = 0, lately = 0;
        uint64_t idle = 0; ///< idle time of the CPU at the start of the sampling gap, in ns
    };
    /// A throttled group: one program, or all programs of entry/return pairs (ProgramPlan::pairs), which must share a
    /// sampling rate.
    struct ThrottledGroup {
        /// The parts of the group's programs. Parts that end entry/return pairs come last, and parts of the same
        /// program are adjacent.
        std::vector<Member> members;
        std::string name;
        bool may_detach = true;
        /// whether hook overhead scales with the time of a system call; false for timer interrupts
        bool follows_calls = true;
        bool attached = true;
        uint64_t switched = 0;  ///< time when the last attaching or detaching ended (CLOCK_MONOTONIC ns)
        uint64_t attaching = 0; ///< time when the last attaching or detaching started (CLOCK_MONOTONIC ns)
        /// `seen_before`: number of firings when the last attaching or detaching started. `seen_attached`: the number
        /// when it ended.
        uint64_t seen_before = 0, seen_attached = 0;
        /// time (CLOCK_MONOTONIC ns) up to which the weights of the executed firings represent all firings
        double covered = 0;
        /// Weight of a firing in the current window before corrections: the length of the period that the window
        /// represents, divided by the window's length. The weight is 1 if the group has no windows.
        double scale = 1;
        uint64_t on = 0; ///< ns for which the group was attached since the last measurement
        uint64_t windows = 0;
        /// Sum of the weights of all executed firings at the start of the sampling window, for each probe whose firings
        /// have a weight of their own (begun_slots()).
        std::vector<uint64_t> weighted_before;
        /// length in ns of the period that the last sampling window represents; 0 if the group no longer uses windows
        double span = 0;
        WindowSpread spread;
        /// Sum of the weights of all firings in sampling windows. `weighted` includes the correction for gaps
        /// (GapRateFactor), `plain` does not.
        double weighted = 0, plain = 0;
        /// whether the clauses run only for $target; its CPU time then indicates how many firings the gaps contained
        bool of_target = false;
        FiringsByCpuTime by_cpu_time;
        double cpu_switched = 0;    ///< $target's CPU time when the last attach or detach ended (ns)
        double cpu_attaching = 0;   ///< $target's CPU time during the last attach or detach (ns)
        double seen_in_windows = 0; ///< number of executed firings in sampling windows
        /// Sum of the weights of the firings in all sampling windows, for each probe whose firings have a weight of
        /// their own (begun_slots()).
        std::vector<double> weighted_by_slot;
        /// Estimated number of firings in the last sampling gap. Used only if no sampling window precedes this gap.
        double unseen = 0;
        uint64_t lately = 0; ///< ns between the last two measurements; used only without sampling windows
        /// Minimum length (ns) of a sampling window, if the group traces entry/return pairs.
        uint64_t pair_window = kLongestWindow;
        /// Numbers of entry/return pairs at the start of the sampling window: pairs that had begun, and pairs that had
        /// ended.
        uint64_t begun = 0, went_on = 0;
        ProgramLoad load;
        double outside = 0; ///< measured part of the hook overhead, in ns per firing
        /// Time of an executed firing in ns. `whole` is measured while all firings are executed, `sampled` while only
        /// some are executed.
        RunningMedian whole, sampled;
        uint64_t every = 1;      ///< sampling interval that the programs of the group use
        std::vector<OnCpu> cpus; ///< state of the group on each CPU; empty if all CPUs share the counters
        SamplingRate reported;
    };

    void add(const ProgramPlan& plan, bool continues, uint64_t now);
    void check(uint64_t now);
    void enter_losses(uint64_t now);
    void learn(ThrottledGroup& each, uint64_t now);
    void set_sampling_rate(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t now);
    void write_sampling_interval(const ThrottledGroup& each, uint64_t every);
    void advance_window(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t now);
    void attach(ThrottledGroup& each, bool attached, const SamplingRate& sampling_rate, uint64_t now);
    void write_scale(const ThrottledGroup& each, std::size_t cpu, double scale);
    std::vector<uint32_t> begun_slots(const ThrottledGroup& each) const;
    std::vector<uint64_t> weighted_hits(const std::vector<uint32_t>& places) const;
    void note_window(ThrottledGroup& each, double fired_ns, uint64_t fired);
    void note_cpu_time(ThrottledGroup& each, const SamplingRate& sampling_rate, double before, uint64_t seen,
                       double then);
    void end_windows(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t end);
    void end_by_cpu_time(ThrottledGroup& each);
    double mean_firing_cost(const ThrottledGroup& each, const SamplingRate& sampling_rate) const;
    void end_first_gap(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t end);
    double error_of(const ThrottledGroup& each) const;
    double total_of(const ThrottledGroup& each) const;
    double hook_overhead_on(const ThrottledGroup& each, const SamplingRate& sampling_rate, std::size_t cpu) const;
    void look_before_windows(ThrottledGroup& each, uint64_t now);
    void begin_windows(ThrottledGroup& each, const SamplingRate& sampling_rate);
    void measure_cpu_speeds(const ThrottledGroup& each);
    double mean_latency_scale() const;
    static double mean_cold_cache_factor(const ThrottledGroup& each);
    uint64_t seen_on(const ThrottledGroup& each, std::size_t cpu) const;
    uint64_t seen_by(const ThrottledGroup& each) const;
    void begin_window(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t now);
    void begin_gap(ThrottledGroup& each);
    void end_window(ThrottledGroup& each, const SamplingRate& sampling_rate, uint64_t now);
    uint64_t taken_by(const ThrottledGroup& each, uint32_t role) const;
    void report_group(ThrottledGroup& each, const SamplingRate& sampling_rate, double share);
    uint64_t window_due(const ThrottledGroup& each, const SamplingRate& sampling_rate) const;
    Result<void> attach_members(const ThrottledGroup& each, bool attached);
    Counted count(const Member& each) const;
    static double program_ns(const Member& each, const Counted& counted);
    template <typename Act> void for_each_counter(const Member& each, uint32_t sets, const Act& act) const;
    uint64_t window_ns(const ThrottledGroup& each, const SamplingRate& sampling_rate) const;
    uint64_t gap_ns(const ThrottledGroup& each, const SamplingRate& sampling_rate) const;
    template <typename Act> void for_each_sampling(const ThrottledGroup& each, const Act& act) const;

    const Schema& schema_;
    const double limit_; ///< CPU time that tracing may use, in CPUs
    const uint32_t cpus_;
    const consume::HookOverheads overheads_;
    const OverheadActions actions_;
    Governor governor_;
    SharedMap sampling_memory_, cost_memory_, time_memory_;
    dt_sampling* sampling_ = nullptr;
    const dt_cost* costs_ = nullptr;
    /// Distribution of times for each counter slot; null if times are not recorded by slot.
    const dt_cost_times* times_ = nullptr;
    std::vector<ThrottledGroup> groups_;
    std::vector<CpuLatencyScale> latency_scales_; ///< relative speed of each CPU, by CPU number
    /// For each counter slot (probe): estimated error of the total weight of its firings, as a number of firings.
    /// Positive if the last sampling window also represents time after the end of the trace. Negative if no window
    /// represents the firings just before the end.
    std::vector<double> weighted_after_end_;
    ProcessTime target_time_;
    /// time in ns since boot in which some task waited for a CPU, read at the start of the trace
    uint64_t waited_before_ = 0;
    double waited_ = 0; ///< fraction of the trace in which some task waited for a CPU
    double call_ = 0;   ///< ns that a system call took when hook overhead was measured; 0 if not measured
    std::size_t next_measured_cpu_ = 0;
    uint64_t began_ = 0, last_look_ = 0, tracer_time_ = 0;
};

template <typename Act>
void OverheadController::for_each_counter(const Member& each, uint32_t sets, const Act& act) const
{
    for (uint32_t set = 0; set < sets; ++set)
        for (const uint32_t place : each.places)
            act(set * schema_.counted.size() + place);
}

template <typename Act> void OverheadController::for_each_sampling(const ThrottledGroup& each, const Act& act) const
{
    for (const Member& member : each.members)
        for_each_counter(member, schema_.sampling_sets,
                         [&](std::size_t place) { act(member, place, sampling_[place]); });
}

/// Formats a number of CPUs as a share of the machine: 0.02 of two CPUs is "1 %".
std::string share_text(double cpus_taken, uint32_t cpus);

} // namespace dt
