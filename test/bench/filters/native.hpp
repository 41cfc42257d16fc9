// Filters as native kernel code: native/dt_filter.c, loaded for one filter after the other.
#pragma once

#include <string>
#include <vector>

#include "test/bench/filters/measure.hpp"

namespace dt::bench::filters {

/// Times per event in ns, as the module measured them, for one filter and one distribution of events.
struct NativeExperiment {
    const Shape* shape = nullptr;
    Bias bias = Bias::AllPass;
    std::vector<double> empty, filter;
    std::string problem;
};

/// Measures all filters. `module` is the file built for this kernel (native/make). The module must not be loaded when
/// this function is called; it is unloaded at the end. Results have the order of measure_kernel(…, {Then::Count}).
std::vector<NativeExperiment> measure_native(const std::string& module, int rounds, int windows);

} // namespace dt::bench::filters
