// Ticks that did not fire, by the clock.
//
// The kernel does not run the program of a perf event while another program runs on the CPU, nor for ticks that came
// while the CPU did not run at all (under a hypervisor), and counts neither. How many there should have been follows
// from the time. Ticks that are asked for again when they are late (struct dt_tick) lose nothing.
#pragma once

#include <cstdint>
#include <span>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/output/firings.hpp"

namespace dt::consume {

/// An estimate: one tick of each CPU may be missing because tracing began and ended between two of them, and is not in
/// it. `firings`: of all probes, with -x firings. `active`: ns that probes fired; `cpus`: those of profile-N.
uint64_t skipped_ticks(std::span<const ProgramPlan> programs, std::span<const output::Firings> firings, uint64_t active,
                       uint64_t cpus);

} // namespace dt::consume
