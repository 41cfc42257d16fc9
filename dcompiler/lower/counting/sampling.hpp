// Sampling for -x maxcost: a program skips some firings, and executed firings represent the skipped ones.
//
// Sampling chooses the executed firings at random. The tracer writes the rate into the program's memory while it runs.
// An executed firing knows the number of firings since the last executed one. Counts are therefore exact except for the
// last few firings, and the expected values of sums and distributions are correct.
#pragma once

#include <vector>

#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/groups.hpp"

namespace dt::lower {

/// Creates the counters of all probes (Schema::counted). Must be called before programs are lowered.
void lay_out_sampling(ModuleLowering& module, std::size_t probes);

/// Stores the roles of probes in pairs (Group::roles) next to their counters and in the schema.
void store_roles(ModuleLowering& module, const std::vector<Group>& groups);

/// Returns whether firings depend on state that other firings stored, in variables or in a speculation. Single firings
/// must then not be skipped.
bool keeps_state(const Group& group);

/// Emits code that counts the firing, and goes to `sampled_out` if it is skipped. Yields its weight;
/// Context::is_weighted is set if the weight can differ from 1. Does nothing without -x maxcost.
ir::Value sample_out(Context& context, const Group& group, ir::BlockId sampled_out);

/// Stores the weight in the frame. Must be called after the frame was created.
void store_weight(Context& context, ir::Value weight);

/// Yields the weight of the firing. Can be called in any function of a program whose firings have weights.
ir::Value weight_of_firing(Context& context);
/// Yields the word that was stored in the frame: it contains the weight and the sampling window of the pair.
ir::Value packed_weight(Context& context);

// Sampling under -x maxcost if a thread's later firings depend on earlier ones: self->start is stored at an entry and
// read at the return.
//
// Sampling of entry/return pairs skips only firings that begin a pair. The thread variables that these firings store
// carry a mark with the weight and the sampling window. A firing that continues a pair without a valid mark is also
// skipped, so the end of a pair never runs without its beginning. Variables that remain from before the program was
// detached do not count as a start.

/// Sets Group::roles if firings depend only on thread variables. Each probe must then have either only clauses that
/// store such variables and read none, or only clauses whose predicates read them. Probes with common variables form a
/// family, which has its own mark.
void find_pairs(const ModuleLowering& module, std::vector<Group>& groups);

/// Discards the thread's unfinished pair after sampling has skipped the beginning of another pair. `sampling` is the
/// address of the probe's sampling data.
void discard_pair(Context& context, ir::Value sampling);

/// Continues in a new block if the firing probe has the given role in pairs, otherwise goes to `other`. The role is
/// stored in the sampling data at `sampling`. If all probes have the role, no code is emitted.
void check_role(Context& context, const Group& group, ir::Value sampling, PairRole role, ir::BlockId other);

/// Yields the weight and the sampling window of the firing that began the thread's pair. Goes to `sampled_out` if the
/// thread has no valid mark.
ir::Value continue_pair(Context& context, ir::Value sampling, ir::BlockId sampled_out);

/// Packs the weight of a firing that begins a pair and the sampling window in `sampling` into one word. unpack_weight()
/// yields the weight in such a word.
ir::Value pack_weight(Context& context, ir::Value sampling, ir::Value weight);
ir::Value unpack_weight(Context& context, ir::Value word);

/// Stores the mark, which is the packed weight of this firing, in the thread's variables at `storage`.
void mark_pair(Context& context, ir::Value storage);

} // namespace dt::lower
