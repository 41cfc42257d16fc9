// The filters as the kernel's own code: native/dt_filter.c, loaded for one filter after the other.
#pragma once

#include <string>
#include <vector>

#include "test/bench/filters/measure.hpp"

namespace dt::bench::filters {

/// One filter on one stream of events: samples of windows, ns an event by the module's own account.
struct NativeExperiment {
    const Shape* shape = nullptr;
    Bias bias = Bias::AllPass;
    std::vector<double> empty, filter;
    std::string problem;
};

/// `module`: the file, built for this kernel (native/make). It must not be loaded; it is not, afterwards. In the order
/// of measure_kernel(…, {Then::Count}).
std::vector<NativeExperiment> measure_native(const std::string& module, int rounds, int windows);

} // namespace dt::bench::filters
