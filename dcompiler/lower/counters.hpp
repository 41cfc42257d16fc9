// Places the counters of programs: firings, their costs, and sampling.
#pragma once

#include <vector>

#include "dcompiler/lower/groups.hpp"
#include "dcompiler/lower/module.hpp"

namespace dt::lower {

/// Creates the counters and gates of each probe of each program, as far as options require them.
void place_counters(ModuleLowering& module, std::vector<Group>& groups);

} // namespace dt::lower
