// The files and functions of running processes, for the pid provider, and the detection of files whose code unwinds
// stacks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libdtrace/process/process.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "probes/process_view.hpp"

namespace dt {

/// Callback that returns the types of a function's arguments and result. Its parameters: the file, the function's
/// offset in the file, the function's name, and how the function is called.
using PrototypeSource = std::function<probes::ProcessView::Prototype(
    const std::string& file, uint64_t offset, const std::string& function, probes::ProcessView::Calls calls)>;

/// Callback that returns the variables that are visible at an offset of a file, as ProcessView::variables() does.
using VariableSource =
    std::function<probes::ProcessView::Variables(const std::string& file, uint64_t offset, const std::string& name)>;

/// Creates a view of the processes below the mount point of proc(5). `untrusted` reads their ELF files. `proc` returns
/// the mount point at each use, because an option may change it. `session` returns the processes of -c and -p, or null.
std::unique_ptr<probes::ProcessView> live_processes(std::function<std::string()> proc,
                                                    std::function<const Processes*()> session,
                                                    PrototypeSource prototypes = {},
                                                    std::shared_ptr<UntrustedFiles> untrusted = UntrustedFiles::make(),
                                                    VariableSource variables = {});

// Detects files whose code unwinds stacks.

class UntrustedFiles;

/// Returns whether a program or library throws exceptions, panics, cancels threads, walks its own stack or has several
/// stacks. A return probe of the kernel replaces a function's return address. An unwinder cannot continue beyond the
/// replaced address, so the process would end or find only a part of its stack. Returns true if the file cannot be
/// read.
bool may_unwind(UntrustedFiles& files, const std::string& file);

/// Returns the functions of the unwinder that the file contains, if the file has symbols for them.
std::vector<probes::ProcessView::UnwinderFunction> unwinder_functions(UntrustedFiles& files, const std::string& file);

} // namespace dt
