// Facts about a machine on which compiled code depends, as text: "kernel=6.1.0-37 cpus=2 …".
//
// Compiled code contains offsets in kernel structures, type ids and the number of CPUs. The code can also run on
// another machine if these facts are equal there. Less common facts (addresses of this boot, disk drivers) are included
// only if the program used them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libdtrace/session/live_world.hpp"

namespace dt {

/// Pairs of a name and a value, neither of which contains spaces.
using CompatibilityFacts = std::vector<std::pair<std::string, std::string>>;

/// Returns the facts about this machine on which the last compiled program depends.
CompatibilityFacts compatibility_facts(LiveWorld& world);
/// Adds a fact about this machine unless `facts` already contains it. The fact "host" is the machine's name. The fact
/// "boot" is for a program that contains addresses, "module:NAME" for a program with probes in a module.
void add_fact(CompatibilityFacts& facts, LiveWorld& world, std::string_view name);

std::string text_of(const CompatibilityFacts& facts);

/// Returns in which fact this machine differs from the given ones ("kernel is A in the bundle, and B on this machine"),
/// or an empty string if all facts are equal. A fact whose name this version of dtrace does not know counts as
/// different. `others` contains further facts about this machine, which this file does not determine.
std::string difference_here(LiveWorld& world, std::string_view facts, const CompatibilityFacts& others);

} // namespace dt
