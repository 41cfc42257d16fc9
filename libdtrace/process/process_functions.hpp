// The files and functions of running processes, for the pid provider.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "libdtrace/elf/foreign_files.hpp"
#include "libdtrace/process/process.hpp"
#include "probes/process_view.hpp"

namespace dt {

/// Returns the types of a function by its name and its offset in a file.
using PrototypeSource = std::function<probes::ProcessView::Prototype(
    const std::string& file, uint64_t offset, const std::string& function, probes::ProcessView::Calls calls)>;

/// Reads the process folders below the mount point of proc(5), and has the ELF files there read by `foreign`. `proc`
/// returns the mount point at each use, because an option may change it. `session` returns the processes of -c and -p,
/// or null.
std::unique_ptr<probes::ProcessView> live_processes(std::function<std::string()> proc,
                                                    std::function<const Processes*()> session,
                                                    PrototypeSource prototypes = {},
                                                    std::shared_ptr<ForeignFiles> foreign = ForeignFiles::make());

} // namespace dt
