// Measures filters with the JIT compiler of the kernel and with its BPF interpreter.
#pragma once

#include <string>

#include "test/bench/filters/report.hpp"

namespace dt::bench::filters {

/// Returns a table of filters that count events, measured with the kernel's JIT compiler on and off. It changes
/// net.core.bpf_jit_enable and restores it. If a module is given (built by native/make), the table also has the filters
/// in this module. If the kernel has no interpreter (CONFIG_BPF_JIT_ALWAYS_ON), returns that reason instead. `windows`:
/// number of timed windows per measurement; few are enough on a machine whose clock counts instructions. Plots of the
/// filters with chained predicates go into the folder `plots`.
std::string interpreted_tables(const std::string& dtrace, int rounds, const Facts& machine, const std::string& module,
                               const std::string& plots, int windows);

} // namespace dt::bench::filters
