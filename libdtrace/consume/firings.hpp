// -x firings: how every firing of every probe ended, a line for each probe that fired, on stderr at the end.
#pragma once

#include "bpf-runtime/abi.h"
#include "dcompiler/object/schema.hpp"
#include "libdtrace/session/output.hpp"

namespace dt::consume {

/// Sums `counters` (the CPUs' sets one after the other, as the schema says) and prints the table, the probe that fired most first.
void print_firings(const Schema& schema, const dt_firings* counters, ProbeSource& probes, Output& output);

} // namespace dt::consume
