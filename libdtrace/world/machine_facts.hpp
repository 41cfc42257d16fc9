// What compiled code relies on of the machine that it was compiled for, as text: "kernel=6.1.0-37 cpus=2 …".
//
// Code has places in the kernel's structures, numbers of its types, how many CPUs there are. Where all of these are the
// same on another machine, so is the code. What is asked for seldom (addresses of this boot, drivers of disks) is a
// fact only of those programs that asked.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libdtrace/world/world.hpp"

namespace dt {

using MachineFacts = std::vector<std::pair<std::string, std::string>>; ///< names and values without spaces

/// After a program was compiled: what it relies on.
MachineFacts facts_of_compiled(LiveWorld& world);
/// One more, unless it is there: "host", the machine's name; "boot", for a program with addresses;
/// "module:NAME", for one with probes in a module.
void add_fact(MachineFacts& facts, LiveWorld& world, std::string_view name);

std::string text_of(const MachineFacts& facts);

/// In what this machine differs from the one with those facts ("kernel is A here, B there"); empty: in nothing that was
/// relied on. A fact that nobody here knows of is one that differs.
/// `others`: facts that are known here besides.
std::string difference_here(LiveWorld& world, std::string_view facts, const MachineFacts& others);

} // namespace dt
