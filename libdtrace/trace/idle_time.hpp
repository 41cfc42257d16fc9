// How long CPUs had nothing to do, as /proc/stat has it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dt {

/// Ns since boot that each CPU was idle or waited for a disk, by its number (0 for one that is not there), from the
/// text of /proc/stat (proc(5)). `ticks`: of sysconf(_SC_CLK_TCK), a second; idle time is told in those.
std::vector<uint64_t> idle_by_cpu(std::string_view stat, uint64_t ticks);

/// Of now. Empty where the file cannot be read.
std::vector<uint64_t> idle_by_cpu();

} // namespace dt
