// The measurements of the filter experiments, as samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "test/bench/filters/density.hpp"
#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

/// In user space: events of a stream, whose mean is a sample.
inline constexpr std::size_t kEventsOfStream = 4096;

/// In the kernel: events of a window, windows of a stream, and how many runs more there may be in one than it has
/// events.
inline constexpr std::size_t kKernelEvents = 400;
inline constexpr int kKernelWindows = 20;
inline constexpr double kForeignRuns = 1.08;
/// What is made up of commands and packets there cannot be in the kernel.
bool is_measured_in_kernel(const Shape& shape, Bias bias);

/// What becomes of an event that passes. In the kernel a record goes through a perf buffer or through a ring buffer, as
/// both sides are told; in user space there is one way, and it is the perf buffer's here.
enum class Then { Count, PerfBuffer, Lane };

/// One filter on one stream of events, what passes recorded or only counted.
struct Experiment {
    const Shape* shape = nullptr;
    Bias bias = Bias::AllPass;
    bool record = false;
    std::vector<Series> evaluators;
    std::string problem;
};

/// An experiment in the kernel: its evaluators in this order, by the kernel's own account of its programs.
enum KernelEvaluator : std::size_t { kEmpty, kUnfiltered, kHand, kScript, kEvaluators };
struct KernelExperiment : Experiment {
    Then then = Then::Count;
    int windows = kKernelWindows;                      ///< of each evaluator in a round
    std::vector<double> untraced;                      ///< the loop that makes the events, ns an event
    std::array<std::vector<double>, kEvaluators> loop; ///< the same with an evaluator's program
    std::array<uint32_t, kEvaluators> instructions{};  ///< of the programs, as translated
};

/// One filter in LTTng's user-space tracer: ns of a firing with the tracepoint off, enabled in a session that is not
/// started, recorded without a filter, and filtered (by Bias), where what passes is recorded.
struct LttngExperiment {
    const Shape* shape = nullptr;
    std::vector<double> untraced, stopped, unfiltered;
    std::array<std::vector<double>, std::size(kBiases)> filtered;
};
struct LttngFigures {
    std::string problem, version; ///< a problem: there are no figures
    std::vector<LttngExperiment> all;
};

/// Rounds of all evaluators, interleaved: slow phases of the machine hit all alike.
std::vector<Experiment> measure_user(int rounds);
/// A round of one experiment, which it writes as JSON: a process for measure_user(). The status.
int run_trial(std::size_t number, unsigned seed);
std::vector<KernelExperiment> measure_kernel(const std::string& dtrace, int rounds,
                                             const std::vector<Then>& thens = {Then::Count, Then::PerfBuffer,
                                                                               Then::Lane},
                                             int windows = kKernelWindows);

/// `newest` as Lttng has it.
LttngFigures measure_lttng(int rounds, const std::string& newest);

/// Does LTTng record what the filters mean? Nothing where it cannot be asked.
std::optional<bool> lttng_agrees();

/// The D program for a filter; an empty predicate is none.
std::string script(const Shape& shape, bool filtered, bool record);

/// Attaches both sides of each row of the kernel's table, and compares how many instructions they have with those in
/// the text. Nothing where the table is of another kernel; what differs is told.
std::optional<bool> counts_agree(const std::string& dtrace, const std::string& text);

} // namespace dt::bench::filters
