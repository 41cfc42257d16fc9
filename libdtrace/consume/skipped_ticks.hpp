// Estimates missed timer ticks from the elapsed time.
//
// The kernel skips a perf event's program while another program runs on the CPU. Ticks are also missed while a
// hypervisor has stopped the CPU. The kernel counts neither, so the expected number is computed from the time. Ticks
// that are repeated when they are late (struct dt_tick) lose nothing.
#pragma once

#include <cstdint>
#include <span>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/output/firings.hpp"

namespace dt::consume {

/// Returns an estimate. It excludes one tick per CPU, which may be missing because tracing began and ended between two
/// ticks. `firings` has all probes (-x firings), `active` is the ns that probes were enabled, `cpus` the number of CPUs
/// of profile-N.
uint64_t skipped_ticks(std::span<const ProgramPlan> programs, std::span<const output::Firings> firings, uint64_t active,
                       uint64_t cpus);

} // namespace dt::consume
