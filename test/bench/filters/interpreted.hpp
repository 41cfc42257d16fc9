// The same filters where the kernel interprets its programs.
#pragma once

#include <string>

#include "test/bench/filters/report.hpp"

namespace dt::bench::filters {

/// Filters that count, with the kernel's compiler on and then off (net.core.bpf_jit_enable, which is put back); beside
/// them the same in a module, if there is one (native/make); the table, or why there is none: a kernel built with
/// CONFIG_BPF_JIT_ALWAYS_ON has no interpreter. `windows` of each: where instructions are counted a few do. Plots of
/// the chains go into the folder `plots`.
std::string interpreted_tables(const std::string& dtrace, int rounds, const Facts& machine, const std::string& module,
                               const std::string& plots, int windows);

} // namespace dt::bench::filters
