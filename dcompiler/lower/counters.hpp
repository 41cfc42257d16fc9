// Where programs count: firings, their costs, and who of them is passed by.
#pragma once

#include <vector>

#include "dcompiler/lower/groups.hpp"
#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Counters and gates for each probe of each program, as options ask for them.
void place_counters(ModuleLowering& module, std::vector<Group>& groups);

} // namespace dt::lower
