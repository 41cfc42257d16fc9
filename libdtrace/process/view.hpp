// The files and functions of running processes, as the pid provider asks for them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/process/process.hpp"
#include "probes/process_view.hpp"

namespace dt {

/// Types of the function of a name that begins at an offset in a file.
using PrototypeSource = std::function<probes::ProcessView::Prototype(
    const std::string& file, uint64_t offset, const std::string& function, probes::ProcessView::Calls calls)>;

/// Reads PID's folder below where proc(5) is mounted, which `proc` is asked for each time (an option may change it),
/// and has the ELF files named there read. `session`: the processes of -c and -p, or null.
std::unique_ptr<probes::ProcessView> live_processes(std::function<std::string()> proc,
                                                    std::function<const Processes*()> session,
                                                    PrototypeSource prototypes = {},
                                                    std::shared_ptr<ForeignFiles> foreign = ForeignFiles::make());

} // namespace dt
