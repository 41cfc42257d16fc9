// Measurements of the filter experiments. Each function returns samples, in ns per event.
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

/// User space: number of events in a window. A window is timed as a whole; it gives one sample, the mean time of an
/// event.
inline constexpr std::size_t kEventsOfStream = 4096;

/// Kernel: events per window; windows per measurement; and the largest ratio of program runs to events in an accepted
/// window. With a larger ratio, the programs also ran for other threads.
inline constexpr std::size_t kKernelEvents = 400;
inline constexpr int kKernelWindows = 20;
inline constexpr double kForeignRuns = 1.08;
/// Returns whether the kernel can produce events for `shape` with the distribution `bias`. Some combinations of field
/// values exist only as synthetic events in user space.
bool is_measured_in_kernel(const Shape& shape, Bias bias);

/// Action on a passing event: a program counts the event, or writes a record to a perf buffer or to a ring buffer (for
/// dtrace: an mmap ring). In user space there is only one kind of buffer, listed as PerfBuffer.
enum class Then { Count, PerfBuffer, Lane };

/// A measured filter with a distribution of its events. Passing events are recorded or counted.
struct Experiment {
    const Shape* shape = nullptr;
    Bias bias = Bias::AllPass;
    bool record = false;
    std::vector<Series> evaluators;
    std::string problem;
};

/// Implementations compared in a kernel experiment, in the order of measurement: a program that does nothing, a C
/// program without a filter, a C program with the filter, a D script.
enum KernelEvaluator : std::size_t { kEmpty, kUnfiltered, kHand, kScript, kEvaluators };
struct KernelExperiment : Experiment {
    Then then = Then::Count;
    int windows = kKernelWindows; ///< number of windows per implementation and round
    /// time per event, in ns, of the loop that makes the events, without an attached program
    std::vector<double> untraced;
    /// time per event, in ns, of the loop that makes the events, while the program of each implementation is attached
    std::array<std::vector<double>, kEvaluators> loop;
    /// number of instructions of each implementation's BPF programs, after translation by the kernel
    std::array<uint32_t, kEvaluators> instructions{};
};

/// Times of LTTng's user-space tracer for one filter, in ns per event. The tracepoint is off (`untraced`), enabled in a
/// stopped session, recorded without a filter, or filtered with passing events recorded (one series for each Bias).
struct LttngExperiment {
    const Shape* shape = nullptr;
    std::vector<double> untraced, stopped, unfiltered;
    std::array<std::vector<double>, std::size(kBiases)> filtered;
};
struct LttngFigures {
    std::string problem, version; ///< `problem`: reason why nothing could be measured, else empty
    std::vector<LttngExperiment> all;
};

/// Measures all implementations of all filters in user space. In each round they alternate, so that slow phases of the
/// machine affect all of them.
std::vector<Experiment> measure_user(int rounds);
/// Runs one round of the user-space experiment with the index `number`, and prints JSON. measure_user() starts a
/// process for each call of this function. Returns the exit status.
int run_trial(std::size_t number, unsigned seed);
std::vector<KernelExperiment> measure_kernel(const std::string& dtrace, int rounds,
                                             const std::vector<Then>& thens = {Then::Count, Then::PerfBuffer,
                                                                               Then::Lane},
                                             int windows = kKernelWindows);

/// `newest` is a folder with a newer LTTng, made by test/newest; empty: the installed LTTng.
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
