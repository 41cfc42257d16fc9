// Writes the comparison of LTTng's user-space tracer with this project's filters and with earlier published results.
#include <algorithm>
#include <cmath>

#include "test/bench/filters/report.hpp"

namespace dt::bench::filters {

namespace {

const Experiment* find(const Measured& all, const Shape& shape, Bias bias, bool record)
{
    for (const Experiment& experiment : all.user)
        if (experiment.shape == &shape && experiment.bias == bias && experiment.record == record)
            return &experiment;
    return nullptr;
}

double ours(const Measured& all, const Shape& shape, Bias bias, bool record, const char* evaluator)
{
    const Experiment* experiment = find(all, shape, bias, record);
    return experiment ? figure_of(experiment->evaluators, evaluator) : NAN;
}

double filtered(const LttngExperiment& experiment, Bias bias)
{
    return figure_of(experiment.filtered[static_cast<std::size_t>(bias)]);
}

std::string failing_table(const Measured& all)
{
    std::string out =
        "| filter | off | stopped | LTTng | eBPF compiled | interpreted | stack bytecode | C | LTTng / compiled | "
        "LTTng / interpreted | LTTng / bytecode |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const LttngExperiment& experiment : all.lttng.all) {
        const auto of = [&](const char* name) { return ours(all, *experiment.shape, Bias::AllFail, false, name); };
        const double fails = filtered(experiment, Bias::AllFail);
        out += "| " + filter_name(*experiment.shape) + " | " + number(figure_of(experiment.untraced)) + " | " +
               number(figure_of(experiment.stopped)) + " | " + number(fails) + " | " + number(of(kMachine)) + " | " +
               number(of(kInterpreted)) + " | " + number(of(kBytecode)) + " | " + number(of(kCompiled)) + " | **" +
               ratio(fails, of(kMachine)) + "** | **" + ratio(fails, of(kInterpreted)) + "** | " +
               ratio(fails, of(kBytecode)) + " |\n";
    }
    return out;
}

std::string recording_table(const Measured& all)
{
    std::string out =
        "| filter | events | LTTng | of it without filter | eBPF compiled | interpreted | of it without filter "
        "| stack bytecode | C | LTTng / compiled |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const LttngExperiment& experiment : all.lttng.all)
        for (const Bias bias : {Bias::AllPass, Bias::MostlyTrue}) {
            const auto of = [&](const char* name) { return ours(all, *experiment.shape, bias, true, name); };
            const double passes = filtered(experiment, bias);
            const bool everything = bias == Bias::AllPass;
            out += "| " + filter_name(*experiment.shape) + " | " + name_of(bias) + " | " + number(passes) + " | " +
                   (everything ? number(figure_of(experiment.unfiltered)) : "") + " | " + number(of(kMachine)) + " | " +
                   number(of(kInterpreted)) + " | " + (everything ? number(of(kNoFilter)) : "") + " | " +
                   number(of(kBytecode)) + " | " + number(of(kCompiled)) + " | **" + ratio(passes, of(kMachine)) +
                   "** |\n";
        }
    return out;
}

/// Returns the time that one more predicate adds to a filter whose predicates are all evaluated.
template <typename Figure> double of_predicate(const Measured& all, Figure figure)
{
    const LttngExperiment *shortest = nullptr, *longest = nullptr;
    for (const LttngExperiment& each : all.lttng.all)
        if (each.shape->source == Source::Chain) {
            if (!shortest || each.shape->length < shortest->shape->length)
                shortest = &each;
            if (!longest || each.shape->length > longest->shape->length)
                longest = &each;
        }
    return (figure(*longest) - figure(*shortest)) / (longest->shape->length - shortest->shape->length);
}

std::string comparison(const Measured& all)
{
    const auto mine = [&](const char* name) {
        return of_predicate(
            all, [&](const LttngExperiment& each) { return ours(all, *each.shape, Bias::AllFail, false, name); });
    };
    const double lttng = of_predicate(all, [](const LttngExperiment& each) { return filtered(each, Bias::AllFail); });
    double least = HUGE_VAL, most = 0, least_slow = HUGE_VAL, most_slow = 0;
    for (const LttngExperiment& each : all.lttng.all) {
        const double fails = filtered(each, Bias::AllFail);
        const double fast = fails / ours(all, *each.shape, Bias::AllFail, false, kMachine),
                     slow = fails / ours(all, *each.shape, Bias::AllFail, false, kInterpreted);
        least = std::min(least, fast);
        most = std::max(most, fast);
        least_slow = std::min(least_slow, slow);
        most_slow = std::max(most_slow, slow);
    }
    const double compiled = std::max(mine(kMachine), 0.0);
    return "| | paper | here, a firing that fails | here, one more predicate |\n|---|--:|--:|--:|\n"
           "| LTTng's filter / eBPF compiled | 3.1 | " +
           number(least, "%.2f") + " to " + number(most, "%.2f") + " | " + number(lttng, "%.2f") + " ns to " +
           number(compiled, "%.2f") + " ns |\n| LTTng's filter / eBPF interpreted | 1.8 | " +
           number(least_slow, "%.2f") + " to " + number(most_slow, "%.2f") + " | **" +
           ratio(lttng, mine(kInterpreted)) + "** |\n| LTTng's filter / stack bytecode of ours | – | | " +
           ratio(lttng, mine(kBytecode)) + " |\n";
}

const char kLttngMethod[] =
    R"(The program has LTTng tracepoints with the fields of the events (`test/bench/filters/lttng`), the filters are given by
`lttng enable-event --filter`, and the bench runs a session daemon of its own. Figures are nanoseconds a firing, the
lower quartile of windows with the events of the tables above. *Off* means no session, *stopped* an enabled session that
was not started. LTTng always records a passing event. Its buffers are per CPU, four pieces of 256 KB, overwritten when
full (a snapshot session), so nothing reads them meanwhile. Ours is the recorder of the table above: a time and the
event's bytes in the ring of one thread. `ctest -R filters.lttng` checks that LTTng records exactly the events that the
filters select.
)";

} // namespace

std::string lttng_tables(const Measured& all)
{
    if (!all.lttng.problem.empty())
        return "Not measured: " + all.lttng.problem + ".\n";
    return std::string(kLttngMethod) + "\n" + all.lttng.version + "\n\nA firing whose filter fails:\n\n" +
           failing_table(all) + "\nA firing that is recorded when it passes:\n\n" + recording_table(all) +
           "\nThe ratios of the paper, re-made:\n\n" + comparison(all);
}

std::vector<Plot> lttng_plots(const Measured& all)
{
    Plot plot{"lttng-user", "LTTng beside the filters of this project", {}};
    for (const LttngExperiment& each : all.lttng.all) {
        if (each.shape->source == Source::Chain && each.shape->length != 1 && each.shape->length != 16)
            continue;
        for (const bool record : {false, true}) {
            const Bias bias = record ? Bias::AllPass : Bias::AllFail;
            const Experiment* experiment = find(all, *each.shape, bias, record);
            if (!experiment)
                continue;
            std::vector<Series> series{{"LTTng", each.filtered[static_cast<std::size_t>(bias)], {}}};
            for (const Series& one : experiment->evaluators)
                if (one.name != kChecked && one.name != kNoFilter)
                    series.push_back(one);
            plot.panels.push_back(
                {filter_name(*each.shape) + ", " + name_of(bias) + (record ? ", recorded" : ""), std::move(series)});
        }
    }
    return all.lttng.problem.empty() && !plot.panels.empty() ? std::vector{plot} : std::vector<Plot>{};
}

} // namespace dt::bench::filters
