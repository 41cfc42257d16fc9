// -x maxcost in a running trace: reads what its programs have counted and timed, lets the governor decide, and sets
// their pace: how many firings they pass by, and when they are attached.
//
// A program that is attached for part of the time is so in windows. What it takes in one stands for half of the time to
// the window before and to the one after as well, by a factor that follows from how long windows really were; and from
// how much more often it would have fired in that time (slowdown.hpp). When tracing ends, aggregations are corrected by
// what the last window stands for beyond that moment, and the user hears how wrong totals may be (budget_windows.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/costs.hpp"
#include "libdtrace/consume/ledger.hpp"
#include "libdtrace/load/shared_map.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/trace/governor.hpp"
#include "libdtrace/trace/idle_time.hpp"
#include "libdtrace/trace/slowdown.hpp"

namespace dt {

/// How the budget acts on its trace.
struct BudgetActions {
    std::function<Result<void>(const ProgramPlan& program, bool attached)> attach;
    std::function<void(const output::Note& note)> tell;
    std::function<void(consume::Cause cause, uint64_t count, consume::LossTime when)> lose;
    std::function<std::string(const ProgramPlan& program)> name; ///< of its probes
    pid_t target = 0;                                            ///< $target; 0: there is none
    std::set<uint32_t> of_target;                                ///< statements whose predicates only its process meets
};

class Budget {
public:
    /// `limit`: as the option maxcost has it. The schema must outlive this.
    Budget(const Schema& schema, double limit, uint32_t cpus, consume::OutsidePrices prices, BudgetActions actions);

    /// Of the loaded object. Afterwards all is attached, and tracing begins at `now` (CLOCK_MONOTONIC, ns).
    Result<void> open(const LoadedMaps& maps, uint64_t now);

    /// Does what is due, and tells of it.
    void act(uint64_t now);
    /// ns, CLOCK_MONOTONIC: when something is due again.
    uint64_t due() const;

    /// Enters losses since the last look, and computes what windows stand for beyond `now`, the end of the trace (ns).
    void finish(uint64_t now);
    /// Returns, after finish(), the factor for each aggregation's counts and sums, by id; 1 where no window was used.
    std::vector<double> corrections() const;
    /// Returns, after finish(), a note for each program whose totals may be off by more than 2 %.
    std::vector<output::Note> errors() const;

private:
    struct Counted {
        uint64_t seen = 0, taken = 0, stood = 0; ///< firings
        uint64_t timed = 0, ns = 0;              ///< firings that the time is known of, and that time
        dt_cost_times times{};                   ///< how those lie, where the program's are kept: Member::has_times
    };
    /// A program; or the part of its probes that go on with pairs, and the others.
    struct Member {
        const ProgramPlan* plan = nullptr;
        bool continues = false;       ///< CountedProbe::continues
        std::vector<uint32_t> places; ///< of its probes: Schema::counted
        double outside = 0;           ///< ns a firing, before and behind the program, when a call took call_ ns
        double spread = 0;            ///< ns by which that may be wrong
        bool is_measured = false;     ///< that is, and not guessed
        bool has_times = false;
        double program = 0; ///< ns that one took which was taken
        Counted last;
        uint64_t entered_passed = 0, entered_missed = 0; ///< in the ledger
    };
    struct OnCpu {
        Slowdown slowdown;
        uint64_t seen = 0;               ///< firings, when its window began
        uint64_t looked = 0, lately = 0; ///< without windows: firings at the last look, and between the last two
        uint64_t idle = 0;               ///< ns, when its gap began
    };
    /// A program, or those that only together know what a thread does (ProgramPlan::pairs): they share a pace.
    struct Governed {
        std::vector<Member> members; ///< those that go on with what others begin come last, each program in one run
        std::string name;
        bool may_detach = true;
        bool follows_calls = true; ///< outside of its programs all is as dear as calls are; a clock's interrupt is not
        bool attached = true;
        uint64_t switched = 0;                       ///< ns: when it was attached or detached last
        uint64_t attaching = 0;                      ///< ns: when that was begun
        uint64_t seen_before = 0, seen_attached = 0; ///< firings then, and when it was done
        double covered = 0;                          ///< ns: until when what it took stands for
        double scale = 1;                            ///< in this window
        uint64_t on = 0;                             ///< ns that it was attached, since the last look
        uint64_t windows = 0;
        std::vector<uint64_t> stood_before; ///< by place (begun_places()): what firings stood for when its window began
        double span = 0;                    ///< ns that the last window stands for; 0: none since all was attached
        WindowSpread spread;
        double stood = 0, plain = 0; ///< what windows stood for, and would have without Slowdown
        bool of_target = false;      ///< $target alone runs its clauses: its CPU time tells what gaps had
        FiringsByCpuTime by_cpu_time;
        double cpu_switched = 0;               ///< ns of $target's CPU time when it was attached or detached last
        double cpu_attaching = 0;              ///< ns of it that this took
        double seen_in_windows = 0;            ///< firings
        std::vector<double> stood_by_place;    ///< in all windows, as begun_places() has them
        double unseen = 0;                     ///< firings added at the end for a gap that no window was behind
        uint64_t lately = 0;                   ///< ns between the last two looks, while there are no windows
        uint64_t pair_window = kLongestWindow; ///< ns: so long a window is at least
        uint64_t begun = 0, went_on = 0;       ///< firings, when its window began
        ProgramLoad load;
        double outside = 0;      ///< ns a firing, as far as that was measured
        Steady whole, sampled;   ///< ns of a firing that is taken: where all are, and where some are
        uint64_t every = 1;      ///< as its programs have it
        std::vector<OnCpu> cpus; ///< empty: its counters are of all CPUs together
        Pace told;
    };

    void add(const ProgramPlan& plan, bool continues, uint64_t now);
    void look(uint64_t now);
    void enter_losses(uint64_t now);
    void learn(Governed& each, uint64_t now);
    void set_pace(Governed& each, const Pace& pace, uint64_t now);
    void set_every(const Governed& each, uint64_t every);
    void turn_window(Governed& each, const Pace& pace, uint64_t now);
    void attach(Governed& each, bool attached, const Pace& pace, uint64_t now);
    void write_scale(const Governed& each, std::size_t cpu, double scale);
    std::vector<uint32_t> begun_places(const Governed& each) const;
    std::vector<uint64_t> stood_by(const std::vector<uint32_t>& places) const;
    void note_window(Governed& each, double fired_ns, uint64_t fired);
    void note_cpu_time(Governed& each, const Pace& pace, double before, uint64_t seen, double then);
    void end_windows(Governed& each, const Pace& pace, uint64_t end);
    void end_by_cpu_time(Governed& each, uint64_t end);
    double mean_price(const Governed& each, const Pace& pace) const;
    void end_first_gap(Governed& each, const Pace& pace, uint64_t end);
    double error_of(const Governed& each) const;
    double total_of(const Governed& each) const;
    double price_of(const Governed& each, const Pace& pace, std::size_t cpu) const;
    void look_before_windows(Governed& each, uint64_t now);
    void begin_windows(Governed& each, const Pace& pace);
    void take_moods(const Governed& each);
    double mean_mood() const;
    static double mean_coldness(const Governed& each);
    uint64_t seen_on(const Governed& each, std::size_t cpu) const;
    uint64_t seen_by(const Governed& each) const;
    void begin_window(Governed& each, const Pace& pace, uint64_t now);
    void begin_gap(Governed& each);
    void end_window(Governed& each, const Pace& pace, uint64_t now);
    uint64_t taken_by(const Governed& each, uint32_t role) const;
    void tell_of(Governed& each, const Pace& pace, double share);
    uint64_t window_due(const Governed& each, const Pace& pace) const;
    Result<void> attach_members(const Governed& each, bool attached);
    Counted count(const Member& each) const;
    static double program_ns(const Member& each, const Counted& counted);
    template <typename Act> void for_each_counter(const Member& each, uint32_t sets, const Act& act) const;
    uint64_t window_ns(const Governed& each, const Pace& pace) const;
    uint64_t gap_ns(const Governed& each, const Pace& pace) const;
    template <typename Act> void for_each_sampling(const Governed& each, const Act& act) const;

    const Schema& schema_;
    const double limit_; ///< CPUs
    const uint32_t cpus_;
    const consume::OutsidePrices prices_;
    const BudgetActions actions_;
    Governor governor_;
    SharedMap sampling_memory_, cost_memory_, time_memory_;
    dt_sampling* sampling_ = nullptr;
    const dt_cost* costs_ = nullptr;
    const dt_cost_times* times_ = nullptr; ///< of places; null: there are too many
    std::vector<Governed> governed_;
    std::vector<Mood> moods_;    ///< by CPU
    std::vector<double> beyond_; ///< by place: firings that windows stood for beyond their end
    ProcessTime target_time_;
    uint64_t waited_before_ = 0; ///< waited_for_cpus(), when tracing began
    double waited_ = 0;          ///< part of the trace in which some task waited for a CPU
    double call_ = 0;            ///< ns of a system call, as prices are reckoned; 0: not known
    std::size_t next_mood_ = 0;
    uint64_t began_ = 0, last_look_ = 0, tracer_time_ = 0;
};

template <typename Act> void Budget::for_each_counter(const Member& each, uint32_t sets, const Act& act) const
{
    for (uint32_t set = 0; set < sets; ++set)
        for (const uint32_t place : each.places)
            act(set * schema_.counted.size() + place);
}

template <typename Act> void Budget::for_each_sampling(const Governed& each, const Act& act) const
{
    for (const Member& member : each.members)
        for_each_counter(member, schema_.sampling_sets,
                         [&](std::size_t place) { act(member, place, sampling_[place]); });
}

/// "1 %" of the machine for 0.02 CPUs of two.
std::string share_text(double cpus_taken, uint32_t cpus);

} // namespace dt
