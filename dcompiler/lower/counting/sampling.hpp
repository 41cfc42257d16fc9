// Sampling for -x maxcost: a program skips some firings, and the executed ones also count for the skipped ones.
//
// Sampling chooses the executed firings at random, at a rate that the tracer writes into the program's memory. Each
// executed firing knows how many firings have occurred since the last executed one and counts for all of them. So
// counts are exact except for the last few firings. Sums and distributions have the correct expected values.
#pragma once

#include <vector>

#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/groups.hpp"

namespace dt::lower {

/// Creates the counters of all probes (Schema::counted). Must be called before programs are lowered.
void lay_out_sampling(ModuleLowering& module, std::size_t probes);

/// Stores whether each probe begins or continues entry/return pairs (Group::roles), next to its counters and in the
/// schema.
void store_roles(ModuleLowering& module, const std::vector<Group>& groups);

/// Returns whether firings depend on state that other firings stored, in variables or in a speculation. Sampling must
/// then not skip single firings.
bool keeps_state(const Group& group);

/// Emits code that counts the firing; control goes to `sampled_out` if sampling skips it. Yields the weight, which is
/// the number of firings that this one represents. Context::is_weighted is set if the weight can differ from 1. Does
/// nothing without -x maxcost.
ir::Value sample_out(Context& context, const Group& group, ir::BlockId sampled_out);

/// Emits code that stores the weight of the firing in its stack frame. Must be called after the frame was created.
void store_weight(Context& context, ir::Value weight);

/// Yields the weight of the firing (how many firings it represents). Any function of a program with weights can call
/// this.
ir::Value weight_of_firing(Context& context);
/// Yields the word in the stack frame that contains the weight and the sampling window of the pair.
ir::Value packed_weight(Context& context);

// Sampling for entry/return pairs under -x maxcost: a thread's later firing depends on an earlier one, such as when
// self->start is stored at an entry and read at the return.
//
// Sampling skips only firings that begin a pair. The thread variables that such a firing stores carry a mark. The mark
// contains the firing's weight (the number of firings that it represents) and the sampling window (the time in which
// the program is attached). A firing that continues a pair is skipped too if it finds no valid mark. So the end of a
// pair never runs without its beginning, and variables from before a gap in sampling do not count as a beginning.

/// Sets Group::roles if firings depend only on thread variables. All clauses of a probe must then be of one kind: they
/// store such variables and read none, or their predicates read such variables. Probes that use the same variables form
/// a family, which has its own mark.
void find_pairs(const ModuleLowering& module, std::vector<Group>& groups);

/// Discards the thread's unfinished pair after sampling has skipped the beginning of another pair. `sampling` is the
/// address of the data with the probe's sampling rate.
void discard_pair(Context& context, ir::Value sampling);

/// Emits a test of whether the fired probe has the given role: it begins pairs, or it continues them. If it has the
/// role, control continues in a new block, otherwise it goes to `other`. The probe's role is in the sampling data at
/// `sampling`. If all probes have the role, no code is emitted.
void check_role(Context& context, const Group& group, ir::Value sampling, PairRole role, ir::BlockId other);

/// Yields the weight and the sampling window of the firing that began the thread's pair. Control goes to `sampled_out`
/// if the thread has no valid mark.
ir::Value continue_pair(Context& context, ir::Value sampling, ir::BlockId sampled_out);

/// Packs two values into one word: the weight of a firing that begins a pair, and the current sampling window from the
/// data at `sampling`. unpack_weight() yields the weight.
ir::Value pack_weight(Context& context, ir::Value sampling, ir::Value weight);
ir::Value unpack_weight(Context& context, ir::Value word);

/// Stores the mark (weight and sampling window of this firing) in the thread's variables at `storage`.
void mark_pair(Context& context, ir::Value storage);

} // namespace dt::lower
