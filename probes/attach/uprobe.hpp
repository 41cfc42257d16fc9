// What the two ways to attach to instructions of files say to people.
#pragma once

#include <string>

#include "probes/attach/attach.hpp"

namespace dt::probes {

/// Why the kernel answered so when it was asked for a uprobe.
std::string why_no_uprobe(int code);

/// Of a target of uprobes: the probe there, or the file.
std::string name_of(const AttachTarget& target);

} // namespace dt::probes
