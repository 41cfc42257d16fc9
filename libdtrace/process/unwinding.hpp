// Detects files whose code unwinds stacks.
#pragma once

#include <string>
#include <vector>

#include "probes/process_view.hpp"

namespace dt {

class ForeignFiles;

/// Returns whether a program or library throws exceptions, panics, cancels threads, walks its own stack or has several
/// stacks. The kernel's return probes replace the return address by one of their own, which an unwinder cannot pass:
/// the process would end, or see half of its stack. Returns true if the file cannot be read.
bool may_unwind(ForeignFiles& files, const std::string& file);

/// Returns the functions of the unwinder's library, if the file contains it with its own symbols.
std::vector<probes::ProcessView::UnwinderFunction> unwinder_functions(ForeignFiles& files, const std::string& file);

} // namespace dt
