// -x maxcost where what a thread does later depends on what it did before: self->start at an entry, self->start again
// at the return.
//
// Only firings that begin are passed by. What they store for their thread bears a mark: how many they stand for, and in
// which window of time they began. A firing that goes on without the mark is passed by as well, so that never one end
// of a pair is there alone, and what a thread has left from before its program was detached is not taken for the
// beginning of something else.
#pragma once

#include <vector>

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

/// Sets Group::roles where variables of threads are all that firings depend on: then each probe has clauses that store
/// some and read none, or clauses that all have them in their predicates. Probes that share variables are a family,
/// which has a mark of its own.
void find_pairs(const ModuleLowering& module, std::vector<Group>& groups);

/// A beginning that is passed by, whose counters are at `sampling`: what is there of the thread goes on no more.
void end_pair(Context& context, ir::Value sampling);

/// Goes on in the block that is entered where the probe that fires has that role, and to `other` where not. Which it
/// has is beside its counters, at `sampling`; where all probes have it nothing is asked.
void ask_role(Context& context, const Group& group, ir::Value sampling, PairRole role, ir::BlockId other);

/// What the thread's beginning stands for, with its window. Goes to `passed_by` where there is none that counts.
ir::Value go_on_with_pair(Context& context, ir::Value sampling, ir::BlockId passed_by);

/// How many a beginning stands for, with the window of `sampling`.
ir::Value with_window(Context& context, ir::Value sampling, ir::Value weight);
ir::Value weight_in(Context& context, ir::Value word);

/// Into the variables of the thread, at `storage`.
void mark_pair(Context& context, ir::Value storage);

} // namespace dt::lower
