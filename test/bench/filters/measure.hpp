// The measurements of the filter experiments, as samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "test/bench/filters/density.hpp"
#include "test/bench/filters/shapes.hpp"

namespace dt::bench::filters {

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
    std::vector<double> untraced;                      ///< the loop that makes the events, ns an event
    std::array<std::vector<double>, kEvaluators> loop; ///< the same with an evaluator's program
    std::array<uint32_t, kEvaluators> instructions{};  ///< of the programs, as translated
};

/// Rounds of all evaluators, interleaved: slow phases of the machine hit all alike.
std::vector<Experiment> measure_user(int rounds);
std::vector<KernelExperiment> measure_kernel(const std::string& dtrace, int rounds);

/// The D program for a filter; an empty predicate is none.
std::string script(const Shape& shape, bool filtered, bool record);

} // namespace dt::bench::filters
