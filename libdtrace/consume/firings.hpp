// -x firings: how every firing of every probe ended, a line for each probe that fired, on stderr at the end.
#pragma once

#include "bpf-runtime/abi.h"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/session/output.hpp"

namespace dt::consume {

/// The counters of an object's probes.
struct FiringCounters {
    std::vector<uint32_t> probes; ///< Schema::firings
    uint32_t sets = 0;
    const dt_firings* memory = nullptr; ///< the CPUs' sets one after the other
};

/// Sums the counters of all objects and prints the table, the probe that fired most first.
void print_firings(const std::vector<FiringCounters>& counters, ProbeSource& probes, Output& output);

} // namespace dt::consume
