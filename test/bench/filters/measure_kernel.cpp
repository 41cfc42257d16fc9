// Time in the kernel: programs attached one at a time, by the thread that makes the events.
//
// Two figures. The kernel's account of what a program ran has nothing but the program in it, and a reading of the clock
// (the same for all). The time of the loop has all that tracing adds: the tracepoint, the call, the program. Both are
// samples of short windows. A window in which the programs ran for other threads, too, is left out.
#include "test/bench/filters/measure.hpp"

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "test/bench/filters/attached.hpp"
#include "test/bench/filters/traffic.hpp"
#include "test/bench/loop.hpp"

namespace dt::bench::filters {

namespace {

constexpr std::size_t kEvents = 400;
constexpr int kWindows = 40;
constexpr double kForeign = 1.08; // runs in a window, of its events

double ns_of_loop(Traffic& traffic)
{
    const auto begin = std::chrono::steady_clock::now();
    traffic.fire(kEvents);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / kEvents;
}

std::vector<double> loop_samples(Traffic& traffic)
{
    std::vector<double> samples;
    for (int i = 0; i < kWindows; i++)
        samples.push_back(ns_of_loop(traffic));
    return samples;
}

// Switches of tasks are everybody's: how many the events make depends on who else wants the CPU.
std::vector<double> program_samples(Traffic& traffic, const std::vector<uint32_t>& ids, bool of_everybody)
{
    const ProgramStatistics statistics(ids);
    std::vector<double> samples;
    for (int i = 0; i < kWindows; i++) {
        const auto before = statistics.read();
        traffic.fire(kEvents);
        const auto after = statistics.read();
        const auto runs = static_cast<double>(after.runs - before.runs);
        if (of_everybody || (runs >= kEvents && runs <= kForeign * kEvents))
            samples.push_back((after.ns - before.ns) / runs);
    }
    return samples;
}

void append(std::vector<double>& to, const std::vector<double>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

// One evaluator on all streams of a filter.
void measure_evaluator(KernelEvaluator evaluator, std::unique_ptr<Attached> attached, Traffic& traffic,
                       const std::vector<KernelExperiment*>& streams)
{
    for (KernelExperiment* stream : streams) {
        if (!attached->problem.empty()) {
            stream->problem = attached->problem;
            continue;
        }
        traffic.use(*stream->shape, stream->bias);
        traffic.fire(kEvents);
        stream->instructions[evaluator] = instructions(attached->ids);
        append(stream->loop[evaluator], loop_samples(traffic));
        append(stream->evaluators[evaluator].ns,
               program_samples(traffic, attached->ids, stream->shape->source == Source::Switch));
    }
    attached->finish();
}

void measure_untraced(Traffic& traffic, const std::vector<KernelExperiment*>& streams)
{
    for (KernelExperiment* stream : streams) {
        traffic.use(*stream->shape, stream->bias);
        traffic.fire(kEvents);
        append(stream->untraced, loop_samples(traffic));
    }
}

// In a thread of its own: where the kernel puts a thread's data changes what a traced call costs, for as long as the
// thread lives. All evaluators are measured in the same one, and rounds in others.
void measure_round(const std::string& dtrace, const Shape& shape, bool record,
                   const std::vector<KernelExperiment*>& streams)
{
    use_loop_cpu();
    std::string problem;
    const auto traffic = make_traffic(shape.source, problem);
    if (!traffic) {
        for (KernelExperiment* stream : streams)
            stream->problem = problem;
        return;
    }
    const std::string action = record ? "_record" : "_count";
    const std::string family = shape.name.substr(0, shape.name.find('_'));
    measure_untraced(*traffic, streams);
    measure_evaluator(kEmpty, attach_by_hand(family + "_empty"), *traffic, streams);
    measure_evaluator(kUnfiltered, attach_by_hand(family + "_0" + action), *traffic, streams);
    measure_evaluator(kHand, attach_by_hand(shape.name + action), *traffic, streams);
    measure_evaluator(kScript, attach_script(dtrace, script(shape, true, record)), *traffic, streams);
    measure_untraced(*traffic, streams);
}

} // namespace

std::string script(const Shape& shape, bool filtered, bool record)
{
    return shape.probe + (filtered ? " /" + shape.predicate + "/" : "") +
           (record ? " { trace(" + shape.value + "); }" : " { @ = count(); }");
}

std::vector<KernelExperiment> measure_kernel(const std::string& dtrace, int rounds)
{
    std::vector<KernelExperiment> all;
    for (const Shape& shape : all_shapes())
        for (const bool record : {false, true})
            for (const Bias bias : {Bias::AllPass, Bias::AllFail, Bias::MostlyTrue, Bias::MostlyFalse}) {
                const bool made_up = bias == Bias::MostlyTrue || bias == Bias::MostlyFalse;
                if ((made_up && shape.source != Source::Chain) ||
                    (record && bias != Bias::AllPass && bias != Bias::MostlyTrue))
                    continue;
                KernelExperiment experiment;
                experiment.shape = &shape;
                experiment.bias = bias;
                experiment.record = record;
                experiment.evaluators = {{"empty program", {}}, {"no filter", {}}, {"hand-written C", {}}, {"D", {}}};
                all.push_back(std::move(experiment));
            }
    for (int round = 0; round < rounds; round++)
        for (const Shape& shape : all_shapes())
            for (const bool record : {false, true}) {
                std::vector<KernelExperiment*> streams;
                for (KernelExperiment& experiment : all)
                    if (experiment.shape == &shape && experiment.record == record)
                        streams.push_back(&experiment);
                std::thread(measure_round, dtrace, shape, record, streams).join();
                std::printf("\r  kernel: round %d of %d, %-10s", round + 1, rounds, shape.name.c_str());
                std::fflush(stdout);
            }
    std::printf("\n");
    return all;
}

} // namespace dt::bench::filters
