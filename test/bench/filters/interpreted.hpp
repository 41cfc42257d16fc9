// The same filters where the kernel interprets its programs.
#pragma once

#include <string>

#include "test/bench/filters/report.hpp"

namespace dt::bench::filters {

/// Filters that count, with the kernel's compiler on and then off (net.core.bpf_jit_enable, which is put back); the
/// table, or why there is none: a kernel built with CONFIG_BPF_JIT_ALWAYS_ON has no interpreter.
std::string interpreted_tables(const std::string& dtrace, int rounds, const Facts& machine);

} // namespace dt::bench::filters
