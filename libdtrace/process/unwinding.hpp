// Whether the code in a file unwinds stacks.
#pragma once

#include <string>
#include <vector>

#include "probes/process_view.hpp"

namespace dt {

class ForeignFiles;

/// Does a program or library throw exceptions, panic, cancel threads, walk its own stack or have several? The kernel's
/// return probes put an address of the kernel's in place of a return address, from where nobody can unwind: whoever
/// tries to ends the process, or sees half of the stack. Of what cannot be read nobody knows, so it may.
bool may_unwind(ForeignFiles& files, const std::string& file);

/// The functions of the library that does it, if that is in the file, with its own symbols.
std::vector<probes::ProcessView::UnwinderFunction> unwinder_functions(ForeignFiles& files, const std::string& file);

} // namespace dt
