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

/// Sets Group::pair where variables of threads are all that firings depend on, and all of it is one family: then each
/// program either stores some and reads none, or has them in every predicate.
void find_pairs(const ModuleLowering& module, std::vector<Group>& groups);

/// A beginning that is passed by: what is there of the thread goes on no more.
void end_pair(Context& context);

/// What the thread's beginning stands for, with its window. Goes to `passed_by` where there is none that counts.
ir::Value go_on_with_pair(Context& context, ir::Value sampling, ir::BlockId passed_by);

/// How many a beginning stands for, with the window of `sampling`.
ir::Value with_window(Context& context, ir::Value sampling, ir::Value weight);
ir::Value weight_in(Context& context, ir::Value word);

/// Into the variables of the thread, at `storage`.
void mark_pair(Context& context, ir::Value storage);

} // namespace dt::lower
