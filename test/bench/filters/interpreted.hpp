// Measures the filters with the kernel's BPF interpreter.
#pragma once

#include <string>

#include "test/bench/filters/report.hpp"

namespace dt::bench::filters {

/// Returns a table of counting filters with the kernel's JIT compiler on and off (net.core.bpf_jit_enable, which is
/// restored) and, if a module is given, of the same filters in the module (native/make). Returns the reason if the
/// kernel has no interpreter (CONFIG_BPF_JIT_ALWAYS_ON). `windows`: number of windows per measurement; few are enough
/// on a machine whose clock counts instructions. Plots of the chains go into the folder `plots`.
std::string interpreted_tables(const std::string& dtrace, int rounds, const Facts& machine, const std::string& module,
                               const std::string& plots, int windows);

} // namespace dt::bench::filters
