// The files and functions of running processes, as the pid provider asks for them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "probes/process_view.hpp"

namespace dt {

/// Reads PID's folder below where proc(5) is mounted, which `proc` is asked for each time (an option may change it), and the ELF files named there.
/// `target`: the first process of -c and -p, or 0.
std::unique_ptr<probes::ProcessView> live_processes(std::function<std::string()> proc, std::function<int64_t()> target);

} // namespace dt
