// What firings cost, timed by the program itself when -x cost asks for it: of each probe, and of each clause.
//
// Every firing is counted, and some are timed: bpf-runtime/cost.bpf.c decides which. Words of the frame (dt_costing)
// say whether this one is.
#pragma once

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

/// Makes the memory for so many probes (Schema::counted), before any program is lowered.
void lay_out_costs(ModuleLowering& module, std::size_t probes);

/// Counts the firing, and begins to time it when it is its turn. `first` is the place of the group's first probe.
void begin_cost(Context& context, uint32_t first);

/// Between two clauses: ends the time of the statement.
void end_clause_cost(Context& context, const Statement& statement);

/// Ends the time of the firing. `group`: whose it is; the last of its statements has run, or another has ended it.
void end_cost(Context& context, const Group& group);

} // namespace dt::lower
