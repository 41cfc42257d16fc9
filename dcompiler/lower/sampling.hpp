// -x maxcost: a program passes some firings by, and what it takes stands for those.
//
// Which ones is a matter of chance, how many of the tracer, which writes it into the program's memory while it runs. A
// firing that is taken knows how many were seen since the last one: so counts stay exact but for the last few, and sums
// and distributions are right in expectation.
#pragma once

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

/// Makes the memory for so many probes (Schema::counted), before any program is lowered.
void lay_out_sampling(ModuleLowering& module, std::size_t probes);

/// What probes do with pairs (Group::roles), beside their counters and in the schema.
void note_roles(ModuleLowering& module, const std::vector<Group>& groups);

/// Whether what a firing does depends on what others have stored: in variables, or in a speculation. Then none of them
/// may be passed by alone.
bool keeps_state(const Group& group);

/// Whether its firings may be passed by, as far as its kind and its statements are concerned.
bool may_stand_for_others(const ModuleLowering& module, const Group& group);

/// Counts the firing, and goes to `passed_by` when it is not to be taken. Returns how many it stands for, and
/// Context::is_weighted says whether that may ever be another number than 1. Nothing without -x maxcost.
ir::Value pass_by_some(Context& context, const Group& group, ir::BlockId passed_by);

/// Stores that in the frame, once it is made.
void keep_weight(Context& context, ir::Value weight);

/// In a program that is weighted, any function of it.
ir::Value weight_of_firing(Context& context);
/// The same as it was stored, with the window of a pair.
ir::Value word_of_weight(Context& context);

} // namespace dt::lower
