// What was measured, for people.
#include "test/bench/filters/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace dt::bench::filters {

namespace {

std::string number(double value, const char* format = "%.1f")
{
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return std::isfinite(value) ? text : "–";
}

std::string ratio(double of, double to)
{
    return number(of / to, "%.2f");
}

std::string filter_name(const Shape& shape)
{
    if (shape.source == Source::Chain)
        return "chain of " + std::to_string(shape.length);
    return shape.source == Source::Packet ? "packet" : "switch";
}

const Series* find(const std::vector<Series>& series, const std::string& name)
{
    for (const Series& each : series)
        if (each.name == name)
            return &each;
    return nullptr;
}

double figure_of(const Series& series)
{
    return quantile(series.ns, 0.25);
}

double figure_of(const std::vector<Series>& series, const std::string& name)
{
    const Series* found = find(series, name);
    return found ? figure_of(*found) : NAN;
}

std::string begin_of_row(const Experiment& experiment)
{
    return "| " + filter_name(*experiment.shape) + " | " + name_of(experiment.bias) + " | " +
           (experiment.record ? "record" : "count") + " | ";
}

// What tracing adds to an event: the least of many short windows, as noise only ever adds.
double added(const KernelExperiment& experiment, KernelEvaluator evaluator)
{
    constexpr double kLeast = 0.02;
    return quantile(experiment.loop[evaluator], kLeast) - quantile(experiment.untraced, kLeast);
}

std::string kernel_table(const std::vector<KernelExperiment>& kernel)
{
    std::string out = "| filter | events | then | empty | no filter | C | D | D − C | D / C | added: C | added: D | D "
                      "/ C | instructions: C | D |\n"
                      "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const KernelExperiment& experiment : kernel) {
        out += begin_of_row(experiment);
        if (!experiment.problem.empty()) {
            out += "not measured: " + experiment.problem + " |\n";
            continue;
        }
        for (const Series& each : experiment.evaluators)
            out += number(figure_of(each)) + " | ";
        const double hand = figure_of(experiment.evaluators[kHand]), ours = figure_of(experiment.evaluators[kScript]);
        out += number(ours - hand) + " | **" + ratio(ours, hand) + "** | ";
        out += number(added(experiment, kHand), "%.0f") + " | " + number(added(experiment, kScript), "%.0f") + " | **" +
               ratio(added(experiment, kScript), added(experiment, kHand)) + "** | ";
        out += std::to_string(experiment.instructions[kHand]) + " | " +
               std::to_string(experiment.instructions[kScript]) + " |\n";
    }
    return out;
}

constexpr const char *kCompiled = "compiled C", *kMachine = "eBPF, compiled", *kInterpreted = "eBPF, interpreted",
                     *kBytecode = "stack bytecode";

std::string user_table(const std::vector<Experiment>& user)
{
    std::string out = "| filter | events | then | no filter | C | eBPF compiled | interpreted | stack bytecode | "
                      "compiled / C | bytecode / compiled | "
                      "interpreted / compiled |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const Experiment& experiment : user) {
        const auto& all = experiment.evaluators;
        out += begin_of_row(experiment);
        for (const char* name : {"no filter", kCompiled, kMachine, kInterpreted, kBytecode})
            out += number(figure_of(all, name)) + " | ";
        const double machine = figure_of(all, kMachine);
        out += "**" + ratio(machine, figure_of(all, kCompiled)) + "** | " + ratio(figure_of(all, kBytecode), machine) +
               " | **" + ratio(figure_of(all, kInterpreted), machine) + "** |\n";
    }
    return out;
}

std::string machine_line(const Facts& machine)
{
    std::string text;
    for (const auto& [name, value] : machine)
        text += name + ": " + value + "; ";
    return text + "load at the end: " + number(load()) + ".\n";
}

// A filter has a plot of its own; chains share one, of the shortest, a middle one and the longest.
bool shown(const Shape& shape)
{
    return shape.source != Source::Chain || shape.length == 1 || shape.length == 4 || shape.length == 16;
}

template <typename Measured>
void add_plots(std::vector<Plot>& all, const std::vector<Measured>& measured, const std::string& place,
               const std::string& title)
{
    for (const Source source : {Source::Chain, Source::Packet, Source::Switch}) {
        Plot plot;
        for (const Experiment& experiment : measured) {
            const Shape& shape = *experiment.shape;
            if (shape.source != source || !shown(shape) ||
                (source == Source::Chain && experiment.bias != Bias::AllPass && experiment.bias != Bias::AllFail))
                continue;
            const std::string what = source == Source::Chain    ? "AND-chains"
                                     : source == Source::Packet ? "netif_receive_skb"
                                                                : "sched_switch";
            plot.file = (source == Source::Chain ? "chain" : shape.name) + "-" + place;
            plot.title = what + " " + title;
            plot.panels.push_back({filter_name(shape) + ", " + name_of(experiment.bias) + ", " +
                                       (experiment.record ? "filter and record" : "filter"),
                                   experiment.evaluators});
        }
        if (!plot.panels.empty())
            all.push_back(std::move(plot));
    }
}

// Ratios of all rows in one line: from, to, and how many are within the goal.
class Ratios {
public:
    explicit Ratios(double goal = NAN, bool at_least = false) : goal_(goal), at_least_(at_least) {}

    void add(double of, double to)
    {
        if (std::isfinite(of / to))
            all_.push_back(of / to);
    }

    std::string line(const std::string& what) const
    {
        return "| " + what + " | " + number(quantile(all_, 0), "%.2f") + " | " + number(quantile(all_, 0.5), "%.2f") +
               " | " + number(quantile(all_, 1), "%.2f") + " | " + verdict() + " |\n";
    }

private:
    std::string verdict() const
    {
        if (std::isnan(goal_))
            return "–";
        const auto good = std::count_if(all_.begin(), all_.end(),
                                        [&](double each) { return at_least_ ? each >= goal_ : each <= goal_; });
        return (at_least_ ? "at least " : "at most ") + number(goal_, "%.2f") + ": " + std::to_string(good) + " of " +
               std::to_string(all_.size());
    }

    double goal_;
    bool at_least_;
    std::vector<double> all_;
};

std::string summary(const std::vector<KernelExperiment>& kernel, const std::vector<Experiment>& user)
{
    Ratios script(1.10), machine(1.5), interpreted(3, true), bytecode;
    for (const KernelExperiment& experiment : kernel)
        if (experiment.problem.empty())
            script.add(figure_of(experiment.evaluators[kScript]), figure_of(experiment.evaluators[kHand]));
    for (const Experiment& experiment : user) {
        const auto& all = experiment.evaluators;
        machine.add(figure_of(all, kMachine), figure_of(all, kCompiled));
        interpreted.add(figure_of(all, kInterpreted), figure_of(all, kMachine));
        bytecode.add(figure_of(all, kBytecode), figure_of(all, kMachine));
    }
    return "| ratio | least | middle | most | goal: rows that meet it |\n|---|--:|--:|--:|---|\n" +
           script.line("in the kernel: D / C") + machine.line("in user space: eBPF compiled / C") +
           interpreted.line("eBPF interpreted / compiled") + bytecode.line("stack bytecode / eBPF compiled");
}

const char kMethod[] =
    R"(A filter is a D predicate. What does it cost beside the same filter written in C, in the kernel and, on the same bytes, in user space?

    ./dev bench filters            # about four minutes, as root; tables and plots go to build/release/filters
    ./dev bench filters --docs     # the same, written to docs

- **packet**: `netif_receive_skb` with device "lo", protocol IP, length > 100, on UDP packets over the loopback device of a network namespace.
  **switch**: `sched_switch` by the first four letters of the command and its state, on two threads that wake each other.
  **chain of N**: `arg0 > … && arg1 > … && …` on the arguments of a system call.
- Events: all pass; all fail, at the last predicate of a chain or packet (a switch: at the command); mostly true and mostly false: a predicate is true 15 times in
  16, or false.
- Then: what passes is counted, or recorded (a number, in the kernel; a time and the event's bytes, in user space).
- Figures are ns an event, the lower quartile of many windows of some hundred events, evaluators interleaved: noise of a shared machine only adds. The plots have
  the windows themselves.
- In the kernel C is a typed tracepoint program by clang -O2 (`test/bench/filters/kernel.bpf.c`), "no filter" the same without predicate,
  "empty" nothing at all. These figures are the kernel's own account of the programs (`BPF_ENABLE_STATS`), a reading of the clock included, which is what "empty" shows.
  "Added" is what tracing adds to the loop that makes the events, the least of the windows (packets and switches are loops of microseconds: rough there). Instructions
  are the programs', as the kernel has translated them.
- In user space C is called through a pointer; eBPF is the same C by clang, run by the virtual machine (`bpf-runtime/vm`) with all its checks; stack bytecode is what
  tracers in user space interpret: typed loads, comparisons and short-circuit ANDs (`test/bench/filters/bytecode.cpp`).
- `ctest -R filters` asks all evaluators for the same verdicts, and an oracle.
)";

} // namespace

std::vector<Plot> plots(const std::vector<KernelExperiment>& kernel, const std::vector<Experiment>& user)
{
    std::vector<Plot> all;
    add_plots(all, kernel, "kernel", "in the kernel: the program's time by the kernel's account");
    add_plots(all, user, "user", "in user space");
    return all;
}

std::string markdown(const Facts& machine, const std::vector<KernelExperiment>& kernel,
                     const std::vector<Experiment>& user, const std::string& folder)
{
    std::string out = "## Filters\n\n" + std::string(kMethod) + "\n" + machine_line(machine) + "\n" +
                      summary(kernel, user) + "\n### In the kernel\n\n" + kernel_table(kernel) +
                      "\n### In user space\n\n" + user_table(user) + "\n### Densities\n\n";
    for (const Plot& plot : plots(kernel, user))
        out += "![" + plot.title + "](" + folder + "/" + plot.file + ".svg)\n\n";
    return out;
}

} // namespace dt::bench::filters
