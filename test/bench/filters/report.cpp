// Writes the report of the filter experiments.
#include "test/bench/filters/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "test/bench/table.hpp"

namespace dt::bench::filters {

std::string number(double value, const char* format)
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

const char* name_of(Then then)
{
    return then == Then::Count ? "count" : then == Then::PerfBuffer ? "record, perf buffer" : "record, ring buffer";
}

namespace {

std::string of_two(double ratio)
{
    return number(ratio, "%.2f");
}

} // namespace

double figure_of(const std::vector<double>& ns)
{
    return quantile(ns, 0.25);
}

void end_round(Series& series, const std::vector<double>& samples)
{
    series.ns.insert(series.ns.end(), samples.begin(), samples.end());
    series.rounds.push_back(figure_of(samples));
}

double figure_of(const Series& series)
{
    return bench::figure_of(series.rounds).value;
}

double ratio_of(const Series& of, const Series& to)
{
    return bench::ratio_of(of.rounds, to.rounds).value;
}

namespace {

const Series& find(const std::vector<Series>& series, const std::string& name)
{
    static const Series none;
    const auto found =
        std::find_if(series.begin(), series.end(), [&](const Series& each) { return each.name == name; });
    return found == series.end() ? none : *found;
}

} // namespace

double figure_of(const std::vector<Series>& series, const std::string& name)
{
    return figure_of(find(series, name));
}

double ratio_of(const std::vector<Series>& series, const std::string& of, const std::string& to)
{
    return ratio_of(find(series, of), find(series, to));
}

namespace {

std::string begin_of_row(const Experiment& experiment, const std::string& then)
{
    return "| " + filter_name(*experiment.shape) + " | " + name_of(experiment.bias) + " | " + then + " | ";
}

// Returns the time that tracing adds to an event. Uses the fastest of many short windows, because noise only adds time.
double added(const KernelExperiment& experiment, KernelEvaluator evaluator)
{
    constexpr double kMin = 0.02;
    return quantile(experiment.loop[evaluator], kMin) - quantile(experiment.untraced, kMin);
}

std::string kernel_table(const std::vector<KernelExperiment>& kernel)
{
    std::string out = "| filter | events | then | empty | no filter | C | D | D − C | D / C | added: C | added: D | D "
                      "/ C | instructions: C | D |\n"
                      "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const KernelExperiment& experiment : kernel) {
        out += begin_of_row(experiment, name_of(experiment.then));
        if (!experiment.problem.empty()) {
            out += "not measured: " + experiment.problem + " |\n";
            continue;
        }
        for (const Series& each : experiment.evaluators)
            out += number(figure_of(each)) + " | ";
        const Series &hand = experiment.evaluators[kHand], &ours = experiment.evaluators[kScript];
        out += number(figure_of(ours) - figure_of(hand)) + " | **" + of_two(ratio_of(ours, hand)) + "** | ";
        out += number(added(experiment, kHand), "%.0f") + " | " + number(added(experiment, kScript), "%.0f") + " | **" +
               ratio(added(experiment, kScript), added(experiment, kHand)) + "** | ";
        out += std::to_string(experiment.instructions[kHand]) + " | " +
               std::to_string(experiment.instructions[kScript]) + " |\n";
    }
    return out;
}

/// Returns the spread of a ratio over all rounds: its interquartile range divided by its median. The table has two
/// ratios to eBPF; uses the one with the larger spread.
double spread(const Experiment& experiment)
{
    double most = 0;
    for (const auto& [of, to] : {std::pair{kMachine, kCompiled}, {kInterpreted, kBytecode}}) {
        const bench::Figure ratios =
            bench::ratio_of(find(experiment.evaluators, of).rounds, find(experiment.evaluators, to).rounds);
        most = std::max(most, (ratios.high - ratios.low) / ratios.value);
    }
    return most;
}

std::string user_table(const std::vector<Experiment>& user)
{
    std::string out =
        "| filter | events | then | no filter | C | eBPF compiled | interpreted | checked | stack bytecode | "
        "compiled / C | interpreted / bytecode | bytecode / compiled | spread |\n"
        "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const Experiment& experiment : user) {
        const auto& all = experiment.evaluators;
        out += begin_of_row(experiment, experiment.record ? "record" : "count");
        for (const char* name : {kNoFilter, kCompiled, kMachine, kInterpreted, kChecked, kBytecode})
            out += number(figure_of(all, name)) + " | ";
        out += "**" + of_two(ratio_of(all, kMachine, kCompiled)) + "** | **" +
               of_two(ratio_of(all, kInterpreted, kBytecode)) + "** | " + of_two(ratio_of(all, kBytecode, kMachine)) +
               " | " + number(100 * spread(experiment), "%.0f %%") + " |\n";
    }
    return out;
}

std::string machine_line(const Measured& all)
{
    std::string text = busy_line(all.others);
    for (const auto& [name, value] : all.machine)
        text += name + ": " + value + "; ";
    return text + "CPUs that others took meanwhile: " + number(all.others, "%.2f") + ".\n";
}

// Returns whether a plot is drawn for the filter. Of the filters with chained predicates, the shortest, a middle one
// and the longest share one plot.
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

// Summary of the ratios of all rows in one line: minimum, maximum, and how many reach the goal.
class Ratios {
public:
    explicit Ratios(double goal = NAN, bool at_least = false) : goal_(goal), at_least_(at_least) {}

    void add(double ratio)
    {
        if (std::isfinite(ratio))
            all_.push_back(ratio);
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
    Ratios script(1.10), machine(1.5), interpreted(1), bytecode, checked;
    for (const KernelExperiment& experiment : kernel)
        if (experiment.problem.empty())
            script.add(ratio_of(experiment.evaluators[kScript], experiment.evaluators[kHand]));
    for (const Experiment& experiment : user) {
        const auto& all = experiment.evaluators;
        machine.add(ratio_of(all, kMachine, kCompiled));
        interpreted.add(ratio_of(all, kInterpreted, kBytecode));
        checked.add(ratio_of(all, kChecked, kInterpreted));
        bytecode.add(ratio_of(all, kBytecode, kMachine));
    }
    return "| ratio | least | middle | most | goal: rows that meet it |\n|---|--:|--:|--:|---|\n" +
           (kernel.empty() ? "" : script.line("in the kernel: D / C")) +
           machine.line("in user space: eBPF compiled / C") + interpreted.line("eBPF interpreted / stack bytecode") +
           bytecode.line("stack bytecode / eBPF compiled") + checked.line("eBPF checked / interpreted");
}

const char kMethod[] =
    R"(A filter is a D predicate. This page compares its cost with a filter in C, in the kernel and in user space on equal
bytes.

    ./dev bench filters            # about four minutes, as root; tables and plots go to build/release/filters
    ./dev bench filters --user     # a minute or two, without the kernel
    ./dev bench filters --docs     # written to docs
    ./dev bench filters --json A && ./dev bench filters --json B && ./dev bench agree A B     # how many rows agree

- Filters: **packet** is `netif_receive_skb` with device "lo", protocol IP and length > 100, on UDP packets over the
  loopback device of a network namespace. **switch** is `sched_switch` by the first four letters of the command and its
  state, on two threads that wake each other. **chain of N** is `arg0 > … && arg1 > … && …` on the arguments of a system
  call.
- Events: in "all pass" every predicate is true; in "all fail" the last predicate of a chain or packet is false (of a
  switch the command); in "mostly true" and "mostly false" a predicate is true, or false, 15 times in 16.
- Then: a passing event is counted or recorded. In the kernel a record is a number, in user space a time and the event's
  bytes. A kernel record goes through perf buffers on both sides (dtrace with `-x temporal=no`), or through shared
  memory (dtrace's mmap rings, a BPF ring buffer in C).
- Figures are nanoseconds an event. A round's value is the lower quartile of its windows, because the noise of a shared
  machine only adds; evaluators are interleaved. The table has the median round. A ratio is the median of the rounds'
  ratios, so it may differ from the quotient of the row's figures. Each round creates or attaches its programs again,
  because the address of code affects its speed. The plots show single windows.
- In the kernel, C is a typed tracepoint program by clang -O2 (`test/bench/filters/kernel.bpf.c`). "No filter" is that
  program without predicate, "empty" a program without any work. Figures are the kernel's statistics
  (`BPF_ENABLE_STATS`), which include one reading of the clock, visible as "empty". "Added" is the time that tracing
  adds to the loop that makes the events, the least of the windows; it is rough for packets and switches, whose loops
  take microseconds. Instructions are those of the program as the kernel translated it; `ctest -R filters.counts`
  compares them with today's programs on an equal kernel.
- In user space, C is called through a pointer. eBPF is that C by clang in the virtual machine (`engine/vm`): as
  machine code; interpreted, which means threaded code of proved programs
  ([how](decisions/50-threaded-code.md)); and checked at each step, for programs without a proof. Stack bytecode
  is the form that tracers in user space interpret: typed loads, comparisons and short-circuit ANDs
  (`test/bench/filters/bytecode.cpp`). One pinned thread runs the evaluators in an order that changes with each window.
  Each round of a row has its own process, whose loops call one filter only, because a call with several targets takes
  two cycles longer. The spread is the interquartile range of the rounds' ratios, relative to the median; the larger one
  of the two ratios is shown.
- `ctest -R filters` compares the verdicts of all evaluators with each other and with an oracle.
)";

} // namespace

std::vector<Plot> plots(const Measured& all)
{
    std::vector<Plot> made;
    add_plots(made, all.kernel, "kernel", "in the kernel: the program's time by the kernel's account");
    add_plots(made, all.user, "user", "in user space");
    for (Plot& plot : lttng_plots(all))
        made.push_back(std::move(plot));
    return made;
}

std::string markdown(const Measured& all, const std::string& folder)
{
    std::string out = std::string(kMethod) + "\n" + machine_line(all) + "\n" + summary(all.kernel, all.user) +
                      "\n## In user space\n\n" + user_table(all.user) + "\n## Beside LTTng\n\n" + lttng_tables(all);
    if (!all.kernel.empty())
        out += "\n## In the kernel\n\n" + kernel_table(all.kernel);
    out += "\n## Densities\n\n";
    for (const Plot& plot : plots(all))
        out += "![" + plot.title + "](" + folder + "/" + plot.file + ".svg)\n\n";
    return out;
}

namespace {

nlohmann::json json_of(const Experiment& experiment, const char* where, const std::string& then)
{
    nlohmann::json row{{"rows", where},
                       {"what", filter_name(*experiment.shape) + ", " + name_of(experiment.bias) + ", " + then}};
    if (!experiment.problem.empty())
        row["problem"] = experiment.problem;
    for (const Series& each : experiment.evaluators)
        if (const double figure = figure_of(each); std::isfinite(figure))
            row[each.name] = figure;
    return row;
}

void add_ratio(nlohmann::json& row, const std::string& name, double ratio)
{
    if (std::isfinite(ratio))
        row["ratio " + name] = ratio;
}

} // namespace

std::string json(const Measured& all)
{
    nlohmann::json machine{{"CPUs that others took", all.others}}, rows = nlohmann::json::array();
    for (const auto& [name, value] : all.machine)
        machine[name] = value;
    for (const Experiment& experiment : all.user) {
        nlohmann::json row = json_of(experiment, "user", experiment.record ? "record" : "count");
        const auto& of = experiment.evaluators;
        add_ratio(row, "compiled / C", ratio_of(of, kMachine, kCompiled));
        add_ratio(row, "interpreted / bytecode", ratio_of(of, kInterpreted, kBytecode));
        rows.push_back(row);
    }
    for (const KernelExperiment& experiment : all.kernel) {
        nlohmann::json row = json_of(experiment, "kernel", name_of(experiment.then));
        if (experiment.problem.empty())
            add_ratio(row, "D / C", ratio_of(experiment.evaluators[kScript], experiment.evaluators[kHand]));
        rows.push_back(row);
    }
    return nlohmann::json{{"machine", machine}, {"rows", rows}}.dump(2, ' ', false,
                                                                     nlohmann::json::error_handler_t::replace) +
           "\n";
}

std::string markdown_of_lttng(const Measured& all)
{
    return "## Beside the newest LTTng\n\n    test/newest FOLDER lttng-tools liblttng-ust1t64 && ./dev bench filters "
           "--docs "
           "--lttng FOLDER\n\n" +
           machine_line(all) + "\n" + lttng_tables(all);
}

} // namespace dt::bench::filters
