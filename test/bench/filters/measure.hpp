// Measurements of the filter experiments; they return samples.
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

/// User space: number of events in a window. A sample is the mean time of an event in a window.
inline constexpr std::size_t kEventsOfStream = 4096;

/// Kernel: events per window, windows per stream, and the largest accepted ratio of program runs to events in a window.
inline constexpr std::size_t kKernelEvents = 400;
inline constexpr int kKernelWindows = 20;
inline constexpr double kForeignRuns = 1.08;
/// Returns whether the kernel can produce such events; some combinations of commands and packets exist only as
/// synthetic events.
bool is_measured_in_kernel(const Shape& shape, Bias bias);

/// Action on passing events: a program only counts them, or records them in a perf buffer or a ring buffer (an mmap
/// ring of dtrace). In user space there is only one kind of buffer, listed as the perf buffer.
enum class Then { Count, PerfBuffer, Lane };

/// A filter on a stream of events, whose passing events are recorded or counted.
struct Experiment {
    const Shape* shape = nullptr;
    Bias bias = Bias::AllPass;
    bool record = false;
    std::vector<Series> evaluators;
    std::string problem;
};

/// Order of the evaluators in a kernel experiment: program that does nothing, C program without a filter, C program
/// with the filter, D script.
enum KernelEvaluator : std::size_t { kEmpty, kUnfiltered, kHand, kScript, kEvaluators };
struct KernelExperiment : Experiment {
    Then then = Then::Count;
    int windows = kKernelWindows; ///< number of windows per evaluator and round
    std::vector<double> untraced; ///< ns per event of the loop that makes the events, untraced
    /// ns per event of the loop that makes the events, while an evaluator's program is attached
    std::array<std::vector<double>, kEvaluators> loop;
    /// number of instructions of each evaluator's programs, as translated by the kernel
    std::array<uint32_t, kEvaluators> instructions{};
};

/// A filter in LTTng's user-space tracer, in ns per event. Variants: tracepoint off, enabled in a stopped session,
/// recorded without a filter, and filtered (by Bias) with passing events recorded.
struct LttngExperiment {
    const Shape* shape = nullptr;
    std::vector<double> untraced, stopped, unfiltered;
    std::array<std::vector<double>, std::size(kBiases)> filtered;
};
struct LttngFigures {
    std::string problem, version; ///< `problem`: reason why there are no figures; empty if there are figures
    std::vector<LttngExperiment> all;
};

/// Runs rounds of all evaluators, interleaved, so that slow phases of the machine affect all of them.
std::vector<Experiment> measure_user(int rounds);
/// Runs one round of the user-space experiment with this index and prints JSON. measure_user() starts a process for
/// each call of this function. Returns the exit status.
int run_trial(std::size_t number, unsigned seed);
std::vector<KernelExperiment> measure_kernel(const std::string& dtrace, int rounds,
                                             const std::vector<Then>& thens = {Then::Count, Then::PerfBuffer,
                                                                               Then::Lane},
                                             int windows = kKernelWindows);

/// `newest` is the argument of Lttng's constructor.
LttngFigures measure_lttng(int rounds, const std::string& newest);

/// Returns whether LTTng records the events that the filters select, or nothing if LTTng is not usable.
std::optional<bool> lttng_agrees();

/// Returns the D program for a filter, without a predicate if `filtered` is false.
std::string script(const Shape& shape, bool filtered, bool record);

/// For each row of the kernel tables in docs/filters.md (`text`), attaches the D script and the C program, and compares
/// their instruction counts with the row. Prints differences. Returns nothing if no table was measured with this
/// kernel.
std::optional<bool> counts_agree(const std::string& dtrace, const std::string& text);

} // namespace dt::bench::filters
