// bench measuring: compares methods to measure the cost of a BPF program with a measured loop.
//
//   bench measuring [ROUNDS [RUNS]]   rounds per method (5); runs of 500 calls per measurement (201), of which few
//                                     suffice if the clock counts instructions (./dev guest --icount)
//
// A child process calls getppid(2) in a loop on the last CPU. The reference is the time that a D clause adds to a call:
// the loop with the clause minus the loop without it. Then each method measures the same clause, on each kind of hook
// in the kernel, while the loop shows the method's own overhead. docs/measuring.md has the tables.
#include "test/bench/measuring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <sys/syscall.h>
#include <unistd.h>

#include "test/bench/bill.hpp"
#include "test/bench/caller.hpp"
#include "test/bench/filters/attached.hpp"
#include "test/bench/machine.hpp"
#include "test/bench/stopwatch.hpp"
#include "test/bench/table.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

enum Way : std::size_t {
    kByLoop,
    kByStatistics,
    kByProfile,
    kByNeighbours,
    kByNeighboursReversed,
    kByPair,
    kByPrintk,
    kByProgramCost,
    kByCost,
    kWays
};

constexpr struct {
    const char *name, *blind;
} kWayTexts[kWays] = {
    {"the loop, with the clause and without", "where the time goes; needs a program that does nothing else"},
    {"statistics of the kernel (BPF_ENABLE_STATS)", "the hook; one average for all firings of the program, of anybody"},
    {"fentry and fexit on the program", "the hook; programs that are fentry or fexit themselves"},
    {"a probe before it and a probe after it", "the hook that is there anyway"},
    {"the same two, attached in the other order", "the clause: what is timed lies between two calls"},
    {"probes around the call, with the clause less without", "what is outside of the two"},
    {"bpf_trace_printk at its begin and end", "the hook; single firings below 1 us; what the log overwrote"},
    {"dtrace -x cost: the program", "the hook"},
    {"dtrace -x cost: the program and what is outside", "what this machine does when more than one program is there"},
};

struct MeasuringSubject {
    const char *name, *probe;
    /// Names of programs in measuring.bpf.c.
    const char *before, *after, *leave, *clause, *printed;
    /// True if the kernel runs the programs of this hook in the reverse order of their attachment.
    bool newest_first;
};

constexpr MeasuringSubject kMeasuringSubjects[] = {
    {"a tracepoint of system calls", "syscall::getppid:entry", "before_enter", "after_enter", "at_exit", "clause_enter",
     "printed_enter", false},
    {"a kprobe", "rawfbt::__task_pid_nr_ns:entry", "before_kprobe", "after_kprobe", "at_kretprobe", "clause_kprobe",
     "printed_kprobe", true},
    {"fentry", "fbt::__task_pid_nr_ns:entry", "before_fentry", "after_fentry", "at_fexit", "clause_fentry",
     "printed_fentry", true},
};

void call_measured(char, int)
{
    syscall(SYS_getppid);
}

/// A running dtrace process with the measured clause; it ends when this object is destroyed.
class ClauseTracer {
public:
    ClauseTracer(const MeasuringSubject& subject, pid_t pid, const std::string& build, bool costs = false)
        : path_(std::filesystem::temp_directory_path() / ("measuring." + std::to_string(getpid()))),
          tool_(words(subject, pid, build, costs), path_), ready_(wait_until_ready(tool_, path_))
    {
    }
    ~ClauseTracer()
    {
        end();
        std::filesystem::remove(path_);
    }
    ClauseTracer(const ClauseTracer&) = delete;
    ClauseTracer& operator=(const ClauseTracer&) = delete;

    bool ready() const { return ready_; }
    pid_t pid() const { return tool_.pid(); }
    const std::string& path() const { return path_; }
    /// Ends dtrace and returns what it wrote to standard error.
    std::string end() { return tool_.pid() > 0 ? tool_.interrupt().err : std::string(); }

private:
    static std::vector<std::string> words(const MeasuringSubject& subject, pid_t pid, const std::string& build,
                                          bool costs)
    {
        std::vector<std::string> words{build + "/dtrace", "-x", "format=jsonl", "-qn",
                                       std::string("BEGIN { printf(\"ready\"); } ") + subject.probe +
                                           " /pid == " + std::to_string(pid) + "/ { @[execname] = count(); }"};
        if (costs)
            words.insert(words.begin() + 1, {"-x", "cost"});
        return words;
    }

    std::string path_;
    Tool tool_;
    bool ready_;
};

struct MeasuredBy {
    /// In ns: the clause's cost as the method measures it (says), as the loop measures it (truth), and the overhead of
    /// the method itself (adds).
    double says = absent, truth = absent, adds = absent;
    std::string problem;
};

/// Measures the same clause once with each method, on one kind of hook.
class MeasuringRound {
public:
    MeasuringRound(const MeasuringSubject& subject, const std::string& build, int runs)
        : subject_(subject), build_(build), runs_(runs)
    {
    }

    void measure()
    {
        measure_loop();
        if (!by[kByLoop].problem.empty())
            return;
        measure_printk();
        measure_neighbours(kByNeighbours, subject_.newest_first);
        measure_neighbours(kByNeighboursReversed, !subject_.newest_first);
        measure_pair();
        measure_cost();
        for (std::size_t way = 0; way < kWays; ++way)
            if (way != kByPrintk)
                by[way].truth = traced_ - untraced_;
    }

    std::array<MeasuredBy, kWays> by;
    MeasuredBy call; ///< the call's duration as measured by probes around it
    /// fraction of the program runs in the kernel's statistics that were for other threads
    double runs_of_others = absent;

private:
    /// Returns the loop's time per call in ns. Discards a first measurement, so that caches are warm and the kernel has
    /// finished patching its code.
    double settled()
    {
        caller_.time();
        return caller_.time();
    }

    /// Returns the loop's time per call in ns, like settled(). Stores in `says` the mean time that the stopwatch
    /// programs measured meanwhile.
    double settled(Stopwatch& watch, double& says)
    {
        caller_.time();
        watch.take();
        const double ns = caller_.time();
        says = watch.take().mean();
        return ns;
    }

    void measure_loop();
    void measure_statistics(const ClauseTracer& tracer);
    void measure_profile();
    void measure_printk();
    void measure_neighbours(Way way, bool after_first);
    void measure_pair();
    void measure_cost();

    const MeasuringSubject& subject_;
    const std::string& build_;
    int runs_;
    Caller caller_{call_measured, runs_};
    double untraced_ = absent, traced_ = absent;
    std::optional<uint32_t> program_; ///< id of the program that contains the measured clause
};

void MeasuringRound::measure_loop()
{
    const double before = settled();
    {
        ClauseTracer tracer(subject_, caller_.pid(), build_);
        if (!tracer.ready()) {
            const std::string said = tracer.end();
            by[kByLoop].problem = said.substr(0, said.find('\n'));
            return;
        }
        traced_ = settled();
        measure_statistics(tracer);
        measure_profile();
        traced_ = (traced_ + settled()) / 2;
    }
    untraced_ = (before + settled()) / 2;
    by[kByLoop].says = traced_ - untraced_;
    for (const Way way : {kByStatistics, kByProfile})
        by[way].adds -= traced_;
}

void MeasuringRound::measure_statistics(const ClauseTracer& tracer)
{
    using Statistics = filters::ProgramStatistics;
    const std::vector<uint32_t> ids = filters::programs_of(tracer.pid());
    std::vector<std::unique_ptr<Statistics>> statistics;
    std::vector<Statistics::Sum> before;
    for (const uint32_t id : ids)
        statistics.push_back(std::make_unique<Statistics>(std::vector<uint32_t>{id}));
    caller_.time();
    for (const auto& of : statistics)
        before.push_back(of->read());
    by[kByStatistics].adds = caller_.time();
    uint64_t most = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Statistics::Sum now = statistics[i]->read();
        const uint64_t runs = now.runs - before[i].runs;
        if (runs <= most)
            continue;
        most = runs;
        program_ = ids[i];
        by[kByStatistics].says = (now.ns - before[i].ns) / static_cast<double>(runs);
    }
    if (most == 0)
        by[kByStatistics].problem = "the kernel counts no runs";
    else
        runs_of_others = std::max(0.0, 1 - static_cast<double>(runs_) * Caller::kCalls / static_cast<double>(most));
}

void MeasuringRound::measure_profile()
{
    MeasuredBy& of = by[kByProfile];
    if (!program_) {
        of.problem = "the program was not found";
        return;
    }
    Stopwatch watch(caller_.pid(), {"program_entry", "program_exit"}, program_);
    if (watch.attach("program_exit") && watch.attach("program_entry"))
        of.adds = settled(watch, of.says);
    of.problem = watch.problem();
}

void MeasuringRound::measure_printk()
{
    MeasuredBy& of = by[kByPrintk];
    double by_hand = absent;
    {
        Stopwatch plain(caller_.pid(), {subject_.clause});
        if (plain.attach(subject_.clause))
            by_hand = settled();
        of.problem = plain.problem();
    }
    Stopwatch printing(caller_.pid(), {subject_.printed});
    if (of.problem.empty() && printing.attach(subject_.printed)) {
        of.adds = caller_.time() - by_hand;
        of.truth = by_hand - untraced_;
        const Printed printed = printed_by(caller_.pid());
        of.says = printed.pairs > 0 ? printed.ns : absent;
        of.problem = printed.pairs > 0 ? "" : "no lines in the kernel's log";
    } else if (of.problem.empty()) {
        of.problem = printing.problem();
    }
}

void MeasuringRound::measure_neighbours(Way way, bool after_first)
{
    MeasuredBy& of = by[way];
    Stopwatch watch(caller_.pid(), {subject_.before, subject_.after});
    if (watch.attach(after_first ? subject_.after : subject_.before)) {
        const ClauseTracer tracer(subject_, caller_.pid(), build_);
        if (watch.attach(after_first ? subject_.before : subject_.after))
            of.adds = settled(watch, of.says) - traced_;
    }
    of.problem = watch.problem();
}

void MeasuringRound::measure_pair()
{
    MeasuredBy& of = by[kByPair];
    Stopwatch watch(caller_.pid(), {subject_.before, subject_.leave});
    if (watch.attach(subject_.before) && watch.attach(subject_.leave)) {
        double with = absent;
        call.adds = settled(watch, call.says) - untraced_;
        call.truth = untraced_;
        if (subject_.newest_first)
            watch.detach(subject_.before);
        const ClauseTracer tracer(subject_, caller_.pid(), build_);
        if (!subject_.newest_first || watch.attach(subject_.before))
            of.adds = settled(watch, with) - traced_;
        of.says = with - call.says;
    }
    of.problem = call.problem = watch.problem();
}

void MeasuringRound::measure_cost()
{
    ClauseTracer tracer(subject_, caller_.pid(), build_, true);
    const double with = settled();
    const std::string said = tracer.end();
    const std::optional<Bill> bill = read_bill(tracer.path());
    for (const Way way : {kByProgramCost, kByCost}) {
        by[way].adds = with - traced_;
        if (bill)
            by[way].says = bill->program + (way == kByCost ? bill->outside : 0);
        else
            by[way].problem = "no cost was told " + said.substr(0, said.find('\n'));
    }
}

/// Returns the text "median (minimum to maximum)" of the values as percentages.
std::string percent_text(const std::vector<double>& errors)
{
    const Figure figure = figure_of(errors);
    if (!figure.there())
        return "-";
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const double error : errors)
        if (!std::isnan(error))
            least = std::min(least, error), most = std::max(most, error);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%+.0f %% (%+.0f to %+.0f)", figure.value, least, most);
    return text.data();
}

void print_measured(const char* name, const std::vector<MeasuredBy>& rounds, const char* blind)
{
    std::vector<double> says, truths, adds, errors;
    std::string problem;
    for (const MeasuredBy& round : rounds) {
        if (!round.problem.empty()) {
            problem = round.problem;
            continue;
        }
        says.push_back(round.says);
        truths.push_back(round.truth);
        adds.push_back(round.adds);
        errors.push_back((round.says / round.truth - 1) * 100);
    }
    if (says.empty())
        std::printf("| %s | cannot: %s | | | | %s |\n", name, problem.c_str(), blind);
    else
        std::printf("| %s | %s | %s | %s | %s | %s |\n", name, number(figure_of(says).value).c_str(),
                    number(figure_of(truths).value).c_str(), percent_text(errors).c_str(),
                    number(figure_of(adds).value).c_str(), blind);
}

void print_subject(const MeasuringSubject& subject, int rounds, int runs, const std::string& build)
{
    std::array<std::vector<MeasuredBy>, kWays> by;
    std::vector<MeasuredBy> call;
    std::vector<double> of_others;
    std::printf("\n### On %s: `%s /pid == PID/ { @[execname] = count(); }`\n\n", subject.name, subject.probe);
    for (int i = 0; i < rounds; ++i) {
        MeasuringRound round(subject, build, runs);
        round.measure();
        if (const std::string& problem = round.by[kByLoop].problem; !problem.empty()) {
            std::printf("This kernel has no such probe: %s\n", problem.c_str());
            return;
        }
        for (std::size_t way = 0; way < kWays; ++way)
            by[way].push_back(round.by[way]);
        call.push_back(round.call);
        of_others.push_back(round.runs_of_others * 100);
    }
    std::printf("| way | it says, ns a firing | the loop says | error (least to most) | it adds to a call, ns | it "
                "cannot see |\n|---|--:|--:|--:|--:|---|\n");
    std::vector<double> truths;
    for (const MeasuredBy& of : by[kByLoop])
        truths.push_back(of.says);
    std::printf("| %s | %s | | | | %s |\n", kWayTexts[kByLoop].name, number(figure_of(truths).value).c_str(),
                kWayTexts[kByLoop].blind);
    for (std::size_t way = kByLoop + 1; way < kWays; ++way)
        print_measured(kWayTexts[way].name, by[way], kWayTexts[way].blind);
    print_measured("**the call itself**, by the probes around it", call, "all of the call that is not between them");
    std::printf("\nRuns of others in the kernel's statistics: %s %% (median).\n",
                number(figure_of(of_others).value).c_str());
    std::fflush(stdout);
}

} // namespace

int run_measuring(const std::vector<std::string>& words, const std::string& build)
{
    const int rounds = words.empty() ? 5 : std::clamp(std::atoi(words[0].c_str()), 1, 100);
    const int runs = words.size() < 2 ? Caller::kRuns : std::clamp(std::atoi(words[1].c_str()), 1, 10'000);
    for (const auto& [name, value] : machine_facts(build + "/dtrace"))
        std::printf("%s: %s; ", name.c_str(), value.c_str());
    std::printf("load: %.2f; rounds: %d of %d runs.\n", load(), rounds, runs);
    std::fflush(stdout);
    for (const MeasuringSubject& subject : kMeasuringSubjects)
        print_subject(subject, rounds, runs, build);
    print_return_probes(build);
    return 0;
}

} // namespace dt::bench
