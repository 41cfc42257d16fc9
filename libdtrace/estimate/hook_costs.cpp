// Measures hook overhead with a child process that calls a probed function or system call, alternately with and without
// a trace. For the overhead on a busy core, another child loads the sibling CPU.
#include "libdtrace/estimate/hook_costs.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/time.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/cost/cpu_speed.hpp"
#include "libdtrace/kernel/kernel_cache.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/trace.hpp"

namespace {

int plus_one(int value)
{
    return value + 1;
}

int (*volatile dt_priced_callee)(int) = plus_one;

} // namespace

/// The function to which user-space probes are attached for measurements. It begins with a push instruction, which the
/// kernel emulates. The kernel must single-step its last instruction, which takes several times as long.
extern "C" [[gnu::noinline, gnu::used]] int dt_measured_function(int value)
{
    const int kept = dt_priced_callee(value);
    return dt_priced_callee(kept) + kept;
}

namespace dt {
namespace {

// Number of runs in a measurement, and number of calls of the probed function in a run. A run takes less than a
// millisecond, even with the slowest probes.
constexpr std::size_t kRuns = 41, kCalls = 250;
constexpr int64_t kSpinNs = 30 * kMillisecond; // duration in ns of the loop that is interrupted by profile ticks
// a jump of the clock counts as an interruption only if it is at least this long, in ns
constexpr int64_t kInterruptionNs = 1000;
// Profile ticks can be measured only if they interrupt the loop of kSpinNs at least this many times. The kernel's own
// timer ticks are far fewer.
constexpr std::size_t kMinInterruptions = 50;
constexpr std::size_t kRounds = 3;
// Number of child processes that measure each kind of hook. The time of a call depends on the addresses of the child's
// data and of the program, so the results of several children are combined.
constexpr std::size_t kCallers = 7;
constexpr int kTries = 3;
constexpr std::size_t kCut = 8; // for a mean, the smallest and the largest 1/kCut of the values are discarded
constexpr std::size_t kSpeedSamples = 15;
constexpr double kEqualSpeedRatio = 1.15; // two CPU speeds count as equal if their ratio is at most this
constexpr int kMinRoundsOfSpeed = 6;      // minimum number of measurement rounds for an overhead at one CPU speed
constexpr double kSteady = 0.1;           // a result is final if its relative spread is at most this
// maximum number of times that a kind of hook is measured if the results have a large spread
constexpr int kMaxTimes = 5;
constexpr std::chrono::milliseconds kSoon{400};
constexpr const char* kFile = "hook-prices-8";
constexpr HookKind kCall{ProgramKind::RawTracepoint, HookKind::Path::SyscallEntry};
constexpr HookKind kCallEnd{ProgramKind::RawTracepoint, HookKind::Path::SyscallExit};
constexpr HookKind kCallEnds{ProgramKind::RawTracepoint, HookKind::Path::SyscallBoth};

using SteadyClock = std::chrono::steady_clock;

/// Time limit for all measurements. When it is exceeded, measuring stops, and the results so far are used.
using Deadline = std::optional<SteadyClock::time_point>;

bool is_over(const Deadline& deadline)
{
    return deadline && SteadyClock::now() >= *deadline;
}

double middle_of(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Returns the mean of the values without the largest and smallest ones, which interruptions distort. The median would
/// be too low, because slow tasks and programs are part of the real cost. Returns 0 if there are no values.
double mean_of_most(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto cut = static_cast<std::ptrdiff_t>(values.size() / kCut);
    const double sum = std::accumulate(values.begin() + cut, values.end() - cut, 0.0);
    return sum / static_cast<double>(values.size() - 2 * (values.size() / kCut));
}

/// Reply of a child process that measures calls.
struct Answer {
    double ns = 0;    ///< measured time in ns; 0 if the child has ended, or if too few interruptions occurred
    double speed = 0; ///< result of cpu_speed_here() on the child's CPU at the time of the measurement
};

/// A child process, pinned to one CPU, that makes calls and reports how long each call took.
class Caller {
public:
    enum class What : char { Call, Name, Read, Function, Nothing };

    Caller()
    {
        if (pipe2(ask_.data(), O_CLOEXEC) != 0 || pipe2(answer_.data(), O_CLOEXEC) != 0)
            return;
        cpu_ = sched_getcpu();
        pid_ = fork();
        if (pid_ == 0)
            serve();
    }
    ~Caller()
    {
        for (const int descriptor : {ask_[0], ask_[1], answer_[0], answer_[1]})
            if (descriptor >= 0)
                close(descriptor);
        if (pid_ > 0) {
            // The child is killed: closing the pipe would not make it end, because children that were forked later also
            // have the pipe open.
            kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    pid_t pid() const { return pid_; }

    /// Returns the median time of a call in ns over all runs; a few interruptions by other tasks do not change it much.
    /// For What::Nothing, returns the median time of an interruption in ns.
    Answer time(What what)
    {
        Answer answer;
        if (pid_ <= 0 || write(ask_[1], &what, sizeof what) != sizeof what ||
            read(answer_[0], &answer, sizeof answer) != sizeof answer)
            return {};
        return answer;
    }

    int cpu() const { return cpu_; }

private:
    static void call(What what, int zeros)
    {
        char byte = 0;
        switch (what) {
        case What::Call:
            syscall(SYS_getppid);
            break;
        case What::Name:
            prctl(PR_SET_NAME, "dt_priced");
            break;
        case What::Read:
            if (read(zeros, &byte, 1) < 0)
                _exit(1);
            break;
        case What::Function:
            dt_measured_function(zeros);
            break;
        case What::Nothing:
            break;
        }
    }

    static Answer time_calls(What what, int zeros)
    {
        std::vector<double> runs, cpu_speeds;
        for (std::size_t run = 0; run < kRuns; ++run) {
            const int64_t begin = now_ns(CLOCK_MONOTONIC);
            for (std::size_t i = 0; i < kCalls; ++i)
                call(what, zeros);
            runs.push_back(static_cast<double>(now_ns(CLOCK_MONOTONIC) - begin) / kCalls);
            cpu_speeds.push_back(cpu_speed_here());
        }
        return {middle_of(std::move(runs)), mean_of_most(std::move(cpu_speeds))};
    }

    /// Measures the time of an interruption, which appears as a jump between two clock readings. This time cannot be
    /// derived from the time of an empty loop: profiling slows the loop by only a few percent, and CPU speed varies by
    /// as much from second to second.
    static Answer time_interruptions()
    {
        std::vector<double> jumps, cpu_speeds;
        for (std::size_t i = 0; i < kSpeedSamples; ++i)
            cpu_speeds.push_back(cpu_speed_here());
        const int64_t begin = now_ns(CLOCK_MONOTONIC);
        for (int64_t last = begin; last < begin + kSpinNs;) {
            const int64_t now = now_ns(CLOCK_MONOTONIC);
            if (now - last > kInterruptionNs)
                jumps.push_back(static_cast<double>(now - last));
            last = now;
        }
        for (std::size_t i = 0; i < kSpeedSamples; ++i)
            cpu_speeds.push_back(cpu_speed_here());
        return {jumps.size() < kMinInterruptions ? 0 : middle_of(std::move(jumps)),
                mean_of_most(std::move(cpu_speeds))};
    }

    [[noreturn]] void serve()
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        stay_on_cpu(cpu_);
        close(ask_[1]);
        const int zeros = open("/dev/null", O_RDONLY | O_CLOEXEC);
        for (What what{}; read(ask_[0], &what, sizeof what) == sizeof what;) {
            const Answer answer = what == What::Nothing ? time_interruptions() : time_calls(what, zeros);
            if (write(answer_[1], &answer, sizeof answer) != sizeof answer)
                break;
        }
        _exit(0);
    }

    std::array<int, 2> ask_{-1, -1}, answer_{-1, -1};
    pid_t pid_ = -1;
    int cpu_ = -1;
};

/// Probes that fire at each call of the child: either once, or at both entry and return of the call. PID is replaced by
/// the child's id. The kind of hook that a probe uses depends on the kernel. The last probe is a profile timer that
/// fires while the child spins, far more often than other interrupts.
constexpr struct {
    Caller::What what;
    const char* probe;
} kWays[] = {
    {Caller::What::Call, "syscall::getppid:entry"},
    {Caller::What::Call, "syscall::getppid:return"},
    {Caller::What::Call, "syscall::getppid:"},
    {Caller::What::Name, "rawtp:task::task_rename"},
    {Caller::What::Name, "sdt:task::task_rename"},
    {Caller::What::Read, "fbt::read_null:entry"},
    {Caller::What::Read, "rawfbt::read_null:entry"},
    {Caller::What::Read, "fbt::read_null:return"},
    {Caller::What::Read, "rawfbt::read_null:return"},
    {Caller::What::Function, "pidPID:a.out:dt_measured_function:entry"},
    {Caller::What::Function, "pidPID:a.out:dt_measured_function:return"},
    {Caller::What::Nothing, "profile-4999"},
};

struct Round {
    double ns = 0;    ///< hook overhead of a firing in ns, without the time of the program
    double speed = 0; ///< ns of the fixed loop of cpu_speed_here() during the measurement round
    double call = 0;  ///< time of an untraced system call in ns; 0 if the probe is a timer
};

struct Measured {
    HookKind hook; ///< kind of hook that the kernel attached
    std::vector<Round> rounds;
};

/// Key of a result: the kind of hook, and whether its programs count firings for -x maxcost.
struct MeasuredHook {
    HookKind hook;
    bool governed = false; ///< whether the programs count each firing (-x maxcost)

    auto operator<=>(const MeasuredHook&) const = default;
};

/// Returns the kind of hook if all programs of the trace use the same kind, or the combined kind if they use
/// system-call entry and return. Otherwise returns nothing.
std::optional<HookKind> hook_of(const Trace& trace)
{
    const std::vector<CountedProbe>& counted = trace.object().schema.counted;
    if (counted.size() == 2 && std::set{counted[0].hook, counted[1].hook} == std::set{kCall, kCallEnd})
        return kCallEnds;
    return counted.size() == 1 ? std::optional(counted.front().hook) : std::nullopt;
}

/// Measures the time in ns that the trace adds to a call. Traced and untraced runs alternate, because untraced times
/// drift by several percent within seconds. The CPU speed is stored with each round. Makes at least one round.
bool add_rounds(Caller& caller, Caller::What what, Trace& trace, std::size_t count, const Deadline& deadline,
                std::vector<Round>& rounds)
{
    Answer traced = caller.time(what);
    for (std::size_t i = 0; i < count && (i == 0 || !is_over(deadline)); ++i) {
        if (!trace.set_attached(false))
            return false;
        const Answer untraced = caller.time(what);
        const Answer call = what == Caller::What::Call ? untraced : caller.time(Caller::What::Call);
        if (!trace.set_attached(true))
            return false;
        const Answer again = caller.time(what);
        if (untraced.ns == 0 || call.ns == 0 || again.ns == 0)
            return false;
        rounds.push_back(
            {(traced.ns + again.ns) / 2 - untraced.ns, (traced.speed + 2 * untraced.speed + again.speed) / 4, call.ns});
        traced = again;
    }
    return true;
}

/// Measures the time in ns that the ticks of a profile probe take.
bool add_interruptions(Caller& caller, std::size_t count, std::vector<Round>& rounds)
{
    for (std::size_t i = 0; i < count; ++i)
        if (const Answer answer = caller.time(Caller::What::Nothing); answer.ns > 0)
            rounds.push_back({answer.ns, answer.speed, 0});
    return true;
}

/// Measures the run time of a trace's own BPF programs.
class ProgramTime {
public:
    explicit ProgramTime(Trace& trace) : trace_(trace) {}

    /// Subtracts the time of the BPF programs from the rounds' results, and divides the remaining time by the number of
    /// probes. To measure the time of the programs, the child makes further calls.
    bool take_off(std::span<Round> rounds, Caller& caller, Caller::What what)
    {
        trace_.time_firings(true);
        caller.time(what);
        // timing slows programs, so it is enabled only while the child makes calls for the measurement
        trace_.time_firings(false);
        double programs = 0;
        const output::CostReport report = trace_.results().costs();
        for (const output::Cost& cost : report.probes) {
            Sum& before = before_[cost.id];
            if (cost.fired > before.fired)
                programs += (cost.of_programs() - before.ns) / static_cast<double>(cost.fired - before.fired);
            before = {cost.fired, cost.of_programs()};
        }
        for (Round& each : rounds)
            each.ns = (each.ns - programs) / static_cast<double>(std::max<std::size_t>(report.probes.size(), 1));
        return !report.probes.empty();
    }

private:
    struct Sum {
        uint64_t fired = 0;
        double ns = 0;
    };
    Trace& trace_;
    std::map<uint32_t, Sum> before_;
};

/// Makes several rounds of measurement. If time permits, also makes one round while the core's sibling thread is busy.
/// Returns an empty list on failure.
std::vector<Round> measure_rounds(Caller& caller, Caller::What what, Trace& trace, const Deadline& deadline)
{
    std::vector<Round> rounds;
    ProgramTime programs(trace);
    const auto add = [&](std::size_t count) {
        const std::size_t before = rounds.size();
        const bool added = what == Caller::What::Nothing ? add_interruptions(caller, count, rounds)
                                                         : add_rounds(caller, what, trace, count, deadline, rounds);
        return added && programs.take_off(std::span(rounds).subspan(before), caller, what);
    };
    trace.time_firings(false);
    if (what != Caller::What::Nothing)
        // makes calls before the measurement: this warms the caches and lets the kernel finish patching its code
        caller.time(what);
    if (!add(kRounds))
        return {};
    if (is_over(deadline))
        return rounds;
    const SiblingLoad busy(caller.cpu());
    if (busy.is_there() && !add(1))
        return {};
    return rounds;
}

/// Measures one probe if its compiled trace uses the planned kind of hook, and stores in `is_kind` whether it does.
/// Returns nothing if the probe cannot be traced or the machine was too busy.
std::optional<Measured> measure_on(Caller& caller, Caller::What what, std::string probe, MeasuredHook planned,
                                   const Deadline& deadline, bool& is_kind)
{
    const std::string pid = std::to_string(caller.pid());
    if (const std::size_t at = probe.find("PID"); at != std::string::npos)
        probe.replace(at, 3, pid);
    Options options;
    options.put("quiet");
    options.put("cost");
    if (planned.governed)
        // a limit for the cost that is never reached, so that firings are counted but never skipped
        options.put("maxcost", "100%");
    Session session(options);
    if (!session.prepare())
        return {};
    const Result<MemoryFile> file = MemoryFile::make("prices");
    if (!file)
        return {};
    Output output(file.value().fd());
    Trace trace(session, session.options());
    const std::string text =
        probe + (what == Caller::What::Nothing ? "" : " /pid == " + pid + "/") + " { @ = count(); }";
    if (!trace.add({Source::Kind::Script, "prices.d", text}, SpecKind::Script, {}) || !trace.compile())
        return {};
    is_kind = hook_of(trace) == planned.hook;
    if (!is_kind)
        return {};
    if (!trace.load() || !trace.attach(output) || !trace.activate())
        return {};
    // the kernel may have refused the planned kind of hook, so the kind in use is read
    const std::optional<HookKind> hook = hook_of(trace);
    Measured measured{{}, measure_rounds(caller, what, trace, deadline)};
    if (!trace.detach() || !hook || measured.rounds.size() < (is_over(deadline) ? 1 : kRounds))
        return {};
    measured.hook = *hook;
    return measured;
}

/// Returns the kind of hook that is measured in place of `kind`, such as fentry for fentry-multi.
HookKind alike(HookKind kind)
{
    const std::optional<ProgramKind> other = info(kind.kind).costs_like;
    return other ? HookKind{*other} : kind;
}

/// The measuring child processes. Each is forked when it is first needed, because forking takes time.
class Callers {
public:
    Caller& get(std::size_t index)
    {
        while (callers_.size() <= index)
            callers_.emplace_back();
        return callers_[index];
    }

private:
    std::deque<Caller> callers_;
};

/// Measures a kind of hook with several children. After the deadline, the result of a single round is accepted.
std::optional<Measured> measure(Callers& callers, MeasuredHook kind, const Deadline& deadline)
{
    const bool is_of_function = info(kind.hook.kind).target == TargetKind::Function;
    for (const auto& way : kWays) {
        if (is_of_function != (way.what == Caller::What::Read))
            continue;
        Measured all;
        bool is_kind = true;
        for (std::size_t i = 0; i < kCallers && is_kind && (all.rounds.empty() || !is_over(deadline)); ++i)
            for (int tries = 0; tries < kTries && is_kind; ++tries)
                if (const auto one = measure_on(callers.get(i), way.what, way.probe, kind, deadline, is_kind)) {
                    all.hook = one->hook;
                    all.rounds.insert(all.rounds.end(), one->rounds.begin(), one->rounds.end());
                    break;
                }
        // Half of the planned rounds are enough, because some children may have failed to measure anything.
        if (all.rounds.size() >= (is_over(deadline) ? 1 : kCallers * kRounds / 2))
            return all;
    }
    return {};
}

double mean_of(std::span<const Round> rounds, double Round::*what)
{
    std::vector<double> values;
    for (const Round& each : rounds)
        values.push_back(each.*what);
    return mean_of_most(std::move(values));
}

/// Returns the overhead at full CPU speed. If there are enough rounds on a clearly slower CPU, also returns the
/// overhead at that speed. The spread is half the interquartile range of the rounds' results at full speed.
output::HookOverhead price_of(std::vector<Round> rounds)
{
    const auto by_speed = [](const Round& a, const Round& b) { return a.speed < b.speed; };
    std::sort(rounds.begin(), rounds.end(), by_speed);
    const double least = rounds[rounds.size() / kCut].speed,
                 most = rounds[rounds.size() - 1 - rounds.size() / kCut].speed;
    const auto is_fast = [&](const Round& round) { return round.speed <= (least + most) / 2; };
    auto slow = std::find_if_not(rounds.begin(), rounds.end(), is_fast);
    if (most <= kEqualSpeedRatio * least || std::min(slow - rounds.begin(), rounds.end() - slow) < kMinRoundsOfSpeed)
        slow = rounds.end();
    const std::span<const Round> fast_ones(rounds.begin(), slow), slow_ones(slow, rounds.end());
    std::vector<double> ns;
    for (const Round& each : fast_ones)
        ns.push_back(each.ns);
    std::sort(ns.begin(), ns.end());
    output::HookOverhead price{mean_of_most(ns), (ns[3 * ns.size() / 4] - ns[ns.size() / 4]) / 2,
                               mean_of(fast_ones, &Round::call), mean_of(fast_ones, &Round::speed)};
    if (!slow_ones.empty()) {
        price.busy = std::max(mean_of(slow_ones, &Round::ns), price.ns);
        price.busy_speed = mean_of(slow_ones, &Round::speed);
    }
    return price;
}

struct Kept {
    output::HookOverhead price;
    int times = 0; ///< number of measurements; 0 for an overhead that was measured hastily (parameter `soon`)

    bool is_known() const { return price.ns > 0; }

    /// Returns whether the result is final. A large spread means that the machine was busy, so the overhead itself may
    /// be wrong too.
    bool is_believed() const { return times >= kMaxTimes || (times > 0 && price.spread <= kSteady * price.ns); }
};

/// Parses the cache file. A line contains the kind (two numbers), whether firings were counted for maxcost, the values,
/// and the number of measurements.
std::map<MeasuredHook, Kept> parse(const std::string& text)
{
    std::map<MeasuredHook, Kept> overheads;
    std::istringstream lines(text);
    int kind = 0, way = 0;
    bool governed = false;
    for (Kept kept; lines >> kind >> way >> governed >> kept.price.ns >> kept.price.spread >> kept.price.call >>
                    kept.price.speed >> kept.price.busy >> kept.price.busy_speed >> kept.times;)
        overheads[{{static_cast<ProgramKind>(kind), static_cast<HookKind::Path>(way)}, governed}] = kept;
    return overheads;
}

std::string text_of(const std::map<MeasuredHook, Kept>& overheads)
{
    std::ostringstream text;
    for (const auto& [kind, kept] : overheads)
        text << static_cast<int>(kind.hook.kind) << ' ' << static_cast<int>(kind.hook.way) << ' ' << kind.governed
             << ' ' << kept.price.ns << ' ' << kept.price.spread << ' ' << kept.price.call << ' ' << kept.price.speed
             << ' ' << kept.price.busy << ' ' << kept.price.busy_speed << ' ' << kept.times << '\n';
    return text.str();
}

/// Merges a new result. Of the old and the new result, the one that was measured at the higher CPU speed is stored. At
/// equal speed, the one with the smaller spread is stored. The result of a hasty measurement is always replaced.
void keep(Kept& kept, const output::HookOverhead& price, bool is_hasty)
{
    // a hasty measurement takes place only if no complete one is stored, so the new result replaces the stored one
    if (is_hasty) {
        kept.price = price;
        return;
    }
    const bool is_faster = kept.price.speed > kEqualSpeedRatio * price.speed,
               is_slower = price.speed > kEqualSpeedRatio * kept.price.speed;
    if (kept.times++ == 0 || is_faster || (!is_slower && price.spread < kept.price.spread))
        kept.price = price;
}

/// Measures the kinds of hooks whose results are missing or have a large spread. Returns whether there is a new result.
bool measure_missing(const std::set<HookKind>& kinds, bool governed, bool soon, std::map<MeasuredHook, Kept>& known)
{
    const Deadline deadline = soon ? Deadline(SteadyClock::now() + kSoon) : std::nullopt;
    Callers callers;
    bool is_new = false;
    // Measures the kinds of hooks in reverse order of their numbers, because a fallback kind has a lower number than
    // the kind that it replaces. If the kernel lacks a kind, measuring this kind also yields the result of its
    // fallback.
    for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind) {
        const Kept& before = known[{*kind, governed}];
        if (before.is_believed() || (soon && before.is_known()) || info(kind->kind).run_by_tracer)
            continue;
        const std::optional<Measured> measured = measure(callers, {alike(*kind), governed}, deadline);
        if (!measured)
            continue;
        const output::HookOverhead price = price_of(measured->rounds);
        if (price.ns <= 0)
            continue;
        const bool is_hasty = is_over(deadline);
        keep(known[{*kind, governed}], price, is_hasty);
        if (Kept& other = known[{measured->hook, governed}]; measured->hook != *kind && !(is_hasty && other.is_known()))
            keep(other, price, is_hasty);
        is_new = true;
    }
    std::erase_if(known, [](const auto& each) { return !each.second.is_known(); });
    return is_new;
}

} // namespace

std::set<HookKind> hooks_of(const Schema& schema)
{
    std::set<HookKind> kinds;
    for (const CountedProbe& each : schema.counted)
        kinds.insert(each.hook);
    return kinds;
}

std::map<HookKind, output::HookOverhead> measure_hook_overheads(std::set<HookKind> kinds, bool governed, bool soon)
{
    // If a trace hooks both entry and return of system calls, the kernel's slower path for system calls costs time only
    // once per call.
    const bool has_both = kinds.contains(kCall) && kinds.contains(kCallEnd);
    if (has_both && kinds.erase(kCall) + kinds.erase(kCallEnd) != 0)
        kinds.insert(kCallEnds);
    const KernelCache cache(KernelCache::default_directory(), KernelCache::kernel_of("/proc", {}));
    std::map<MeasuredHook, Kept> known = parse(cache.read(kFile).value_or(std::string()));
    if (measure_missing(kinds, governed, soon, known))
        cache.write(kFile, text_of(known));
    std::map<HookKind, output::HookOverhead> overheads;
    for (const auto& [kind, kept] : known)
        if (kind.governed == governed)
            overheads[kind.hook] = kept.price;
    if (const auto both = overheads.find(kCallEnds); has_both && both != overheads.end())
        overheads[kCall] = overheads[kCallEnd] = both->second;
    overheads[{ProgramKind::TestRun}] = {}; // programs that the tracer runs itself (BEGIN, END) have no hook overhead
    return overheads;
}

namespace {

/// Returns the sibling of a CPU from the kernel's list of siblings ("0,4" or "0-1"). Without the list, returns the
/// other CPU of an even-odd pair, or -1 if only one CPU exists.
int sibling_of(int cpu)
{
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
    char between = 0;
    for (int each = -1; file >> each; file >> between)
        if (each != cpu)
            return each;
    return sysconf(_SC_NPROCESSORS_ONLN) < 2 ? -1 : cpu ^ 1;
}

[[noreturn]] void work_on(int cpu)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const sched_param none{}; // replaces a real-time scheduling policy that was inherited from the parent
    if (close_range(STDERR_FILENO + 1, ~0U, 0) == 0 && stay_on_cpu(cpu) &&
        sched_setscheduler(0, SCHED_IDLE, &none) == 0)
        for (;;)
            cpu_speed_here();
    _exit(1);
}

} // namespace

bool stay_on_cpu(int cpu)
{
    cpu_set_t there;
    CPU_ZERO(&there);
    if (cpu < 0 || cpu >= CPU_SETSIZE)
        return false;
    CPU_SET(cpu, &there);
    return sched_setaffinity(0, sizeof there, &there) == 0;
}

SiblingLoad::SiblingLoad(int cpu)
{
    const int sibling = cpu < 0 ? -1 : sibling_of(cpu);
    std::array<int, 2> closed{-1, -1};
    if (sibling < 0 || pipe2(closed.data(), O_CLOEXEC) != 0)
        return;
    pid_ = fork();
    if (pid_ == 0)
        work_on(sibling);
    close(closed[1]);
    char byte = 0;
    // read() returns when the child has closed all inherited descriptors, including its copy of the pipe.
    while (read(closed[0], &byte, 1) < 0 && errno == EINTR)
        continue;
    close(closed[0]);
}

SiblingLoad::~SiblingLoad()
{
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
}

} // namespace dt
