// The files and functions of running processes, as the pid provider asks for them.
#pragma once

#include <memory>

#include "probes/process_view.hpp"

namespace dt {

/// Reads /proc/PID and the ELF files named there.
std::unique_ptr<probes::ProcessView> live_processes();

} // namespace dt
