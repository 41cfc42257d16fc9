// Sampling under -x maxcost if a thread's later firings depend on earlier ones: self->start is stored at an entry and
// read at the return.
//
// Sampling skips only firings that begin a pair. The variables that they store carry a mark with the weight and the
// sampling window. A firing that continues a pair without a valid mark is also skipped, so the end of a pair never runs
// without its beginning. Variables left from before the program was detached do not count as a beginning.
#pragma once

#include <vector>

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

/// Sets Group::roles if firings depend only on thread variables. Each probe then has either clauses that store such
/// variables and read none, or clauses that all have them in their predicates. Probes with common variables form a
/// family, which has its own mark.
void find_pairs(const ModuleLowering& module, std::vector<Group>& groups);

/// Discards the thread's unfinished pair after a skipped beginning, whose counters are at `sampling`.
void end_pair(Context& context, ir::Value sampling);

/// Continues in a new block if the firing probe has that role, otherwise goes to `other`. The role is stored next to
/// the counters at `sampling`. If all probes have the role, no code is emitted.
void ask_role(Context& context, const Group& group, ir::Value sampling, PairRole role, ir::BlockId other);

/// Yields the weight and window of the thread's beginning. Goes to `passed_by` if there is no valid beginning.
ir::Value go_on_with_pair(Context& context, ir::Value sampling, ir::BlockId passed_by);

/// Combines the weight of a beginning with the window in `sampling`.
/// weight_in() yields the weight in such a word.
ir::Value with_window(Context& context, ir::Value sampling, ir::Value weight);
ir::Value weight_in(Context& context, ir::Value word);

/// Stores the mark in the variables of the thread, at `storage`.
void mark_pair(Context& context, ir::Value storage);

} // namespace dt::lower
