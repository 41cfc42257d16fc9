// -x maxcost: a program skips some firings, and executed firings represent the skipped ones.
//
// The choice is random. The tracer writes the rate into the program's memory while it runs. An executed firing knows
// the number of firings since the last executed one. Counts are therefore exact except for the last few firings, and
// the expected values of sums and distributions are correct.
#pragma once

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

/// Creates the counters of all probes (Schema::counted). Must be called before programs are lowered.
void lay_out_sampling(ModuleLowering& module, std::size_t probes);

/// Stores the roles of probes in pairs (Group::roles) next to their counters and in the schema.
void note_roles(ModuleLowering& module, const std::vector<Group>& groups);

/// Returns whether firings depend on state that others stored, in variables or in a speculation. Single firings may
/// then not be skipped.
bool keeps_state(const Group& group);

/// Returns whether the kind and the statements of the program allow firings to be skipped.
bool may_stand_for_others(const ModuleLowering& module, const Group& group);

/// Counts the firing, and goes to `passed_by` if it is skipped. Yields its weight; Context::is_weighted is set if the
/// weight can differ from 1. Does nothing without -x maxcost.
ir::Value pass_by_some(Context& context, const Group& group, ir::BlockId passed_by);

/// Stores the weight in the frame after the frame was created.
void keep_weight(Context& context, ir::Value weight);

/// Yields the weight of the firing, in any function of a weighted program.
ir::Value weight_of_firing(Context& context);
/// Yields the stored word, which contains the weight and the window of a pair.
ir::Value word_of_weight(Context& context);

} // namespace dt::lower
