// Measures time in the kernel: one program is attached at a time, and the same thread makes the events.
//
// Two times are measured. The first, from the kernel's statistics of BPF programs, contains only the program and a
// clock reading, which takes the same time for all programs. The second, the time of the loop that makes the events,
// contains everything that tracing adds: the tracepoint, the call, the program. Both are sampled over short windows of
// some hundred events. A window during which the programs also ran for other threads is discarded.
#include "test/bench/filters/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>

#include "test/bench/filters/attached.hpp"
#include "test/bench/filters/report.hpp"
#include "test/bench/filters/traffic.hpp"
#include "test/bench/loop.hpp"

namespace dt::bench::filters {

namespace {

double ns_of_loop(Traffic& traffic)
{
    const auto begin = std::chrono::steady_clock::now();
    traffic.fire(kKernelEvents);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / kKernelEvents;
}

std::vector<double> loop_samples(Traffic& traffic, int windows)
{
    std::vector<double> samples;
    for (int i = 0; i < windows; i++)
        samples.push_back(ns_of_loop(traffic));
    return samples;
}

// Returns the times from the kernel's program statistics, one per window. A program on task switches runs for all
// threads, so its number of runs depends on what else uses the CPU.
std::vector<double> program_samples(Traffic& traffic, const std::vector<uint32_t>& ids, bool of_everybody, int windows)
{
    const ProgramStatistics statistics(ids);
    std::vector<double> samples;
    for (int i = 0; i < windows; i++) {
        const auto before = statistics.read();
        traffic.fire(kKernelEvents);
        const auto after = statistics.read();
        const auto runs = static_cast<double>(after.runs - before.runs);
        if (of_everybody || (runs >= kKernelEvents && runs <= kForeignRuns * kKernelEvents))
            samples.push_back((after.ns - before.ns) / runs);
    }
    return samples;
}

void append(std::vector<double>& to, const std::vector<double>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

// Makes events until dtrace has opened mmap rings for the script. The reader in dtrace opens them when it finds many
// records, and it checks several times per second.
void fill_lane(const Attached& attached, Traffic& traffic)
{
    constexpr int kPatience = 50;
    for (int i = 0; i < kPatience && !attached.has_lane(); i++) {
        traffic.fire(4 * kKernelEvents);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

// Measures one implementation of a filter with all distributions of its events.
void measure_evaluator(KernelEvaluator evaluator, std::unique_ptr<Attached> attached, Traffic& traffic,
                       const std::vector<KernelExperiment*>& streams)
{
    for (KernelExperiment* stream : streams) {
        if (!attached->problem.empty()) {
            stream->problem = attached->problem;
            continue;
        }
        traffic.use(*stream->shape, stream->bias);
        traffic.fire(kKernelEvents);
        if (stream->then == Then::Lane && evaluator == kScript)
            fill_lane(*attached, traffic);
        stream->instructions[evaluator] = instructions(attached->ids);
        append(stream->loop[evaluator], loop_samples(traffic, stream->windows));
        end_round(stream->evaluators[evaluator],
                  program_samples(traffic, attached->ids, stream->shape->source == Source::Switch, stream->windows));
    }
    attached->finish();
}

void measure_untraced(Traffic& traffic, const std::vector<KernelExperiment*>& streams)
{
    for (KernelExperiment* stream : streams) {
        traffic.use(*stream->shape, stream->bias);
        traffic.fire(kKernelEvents);
        append(stream->untraced, loop_samples(traffic, stream->windows));
    }
}

// Measures one round in a new thread. The placement of a thread's data affects the cost of a traced call for the
// thread's lifetime, so all implementations share the round's thread, and the next round uses another one.
void measure_round(const std::string& dtrace, const Shape& shape, Then then,
                   const std::vector<KernelExperiment*>& streams, uint32_t seed)
{
    use_loop_cpu();
    std::string problem;
    const auto traffic = make_traffic(shape.source, problem);
    if (!traffic) {
        for (KernelExperiment* stream : streams)
            stream->problem = problem;
        return;
    }
    const std::string action = then == Then::Count ? "_count" : "_record";
    const std::string family = shape.name.substr(0, shape.name.find('_'));
    const bool lane = then == Then::Lane;
    measure_untraced(*traffic, streams);
    std::array<KernelEvaluator, kEvaluators> order = {kEmpty, kUnfiltered, kHand, kScript};
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    for (const KernelEvaluator evaluator : order) {
        auto attached = evaluator == kEmpty        ? attach_by_hand(family + "_empty")
                        : evaluator == kUnfiltered ? attach_by_hand(family + "_0" + action, lane)
                        : evaluator == kHand       ? attach_by_hand(shape.name + action, lane)
                                             : attach_script(dtrace, script(shape, true, then != Then::Count), lane);
        measure_evaluator(evaluator, std::move(attached), *traffic, streams);
    }
    measure_untraced(*traffic, streams);
}

} // namespace

bool is_measured_in_kernel(const Shape& shape, Bias bias)
{
    return shape.source == Source::Chain || (bias != Bias::MostlyTrue && bias != Bias::MostlyFalse);
}

std::string script(const Shape& shape, bool filtered, bool record)
{
    return shape.probe + (filtered ? " /" + shape.predicate + "/" : "") +
           (record ? " { trace(" + shape.value + "); }" : " { @ = count(); }");
}

std::vector<KernelExperiment> measure_kernel(const std::string& dtrace, int rounds, const std::vector<Then>& thens,
                                             int windows)
{
    std::vector<KernelExperiment> all;
    for (const Shape& shape : all_shapes())
        for (const Then then : thens)
            for (const Bias bias : kBiases) {
                if (!is_measured_in_kernel(shape, bias) ||
                    (then != Then::Count && bias != Bias::AllPass && bias != Bias::MostlyTrue))
                    continue;
                KernelExperiment experiment;
                experiment.shape = &shape;
                experiment.bias = bias;
                experiment.record = then != Then::Count;
                experiment.then = then;
                experiment.windows = windows;
                experiment.evaluators = {
                    {"empty program", {}, {}}, {"no filter", {}, {}}, {"hand-written C", {}, {}}, {"D", {}, {}}};
                all.push_back(std::move(experiment));
            }
    uint32_t seed = 1;
    for (int round = 0; round < rounds; round++)
        for (const Shape& shape : all_shapes())
            for (const Then then : thens) {
                std::vector<KernelExperiment*> streams;
                for (KernelExperiment& experiment : all)
                    if (experiment.shape == &shape && experiment.then == then)
                        streams.push_back(&experiment);
                std::thread(measure_round, dtrace, shape, then, streams, seed++).join();
                std::printf("\r  kernel: round %d of %d, %-10s", round + 1, rounds, shape.name.c_str());
                std::fflush(stdout);
            }
    std::printf("\n");
    return all;
}

} // namespace dt::bench::filters
