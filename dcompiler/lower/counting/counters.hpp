// Emits code that counts and times firings in the program itself for -x cost, for each probe and each clause.
//
// Each program has a timing switch (dt_timing_switch). Firings are counted while the switch is on, and some are
// timed; bpf-runtime/accounting/cost.bpf.c chooses the timed ones. Words of the frame (dt_timed_hit) hold the state of
// a timed firing. The tracer turns off the timing switches of programs that fire often
// (libdtrace/cost/sampling_windows.hpp).
//
// A program that contains all its clauses is lowered twice, once per state of its timing switch: Context::is_timed. A
// program that calls functions for its clauses tests the timing switch before it counts: Context::tests_timing_switch.
#pragma once

#include <vector>

#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/lower/core/groups.hpp"

namespace dt::lower {

/// Creates the counters of all probes (Schema::counted) and of Schema::others. Must be called before programs are
/// lowered.
void lay_out_costs(ModuleLowering& module, std::size_t probes);

/// Returns whether the program may also be called when none of its probes fires.
bool has_others(const ModuleLowering& module, const Group& group);

/// Emits a jump to `on`, which is taken unless the timing switch is off.
void test_timing_switch(Context& context, ir::BlockId on);

/// Turns on all timing switches, in a program that ends tracing. `state` is the address of dt_state.
void turn_on_timing(ir::Builder& b, ir::Value state);

/// Emits code that counts a call of the program in which none of its probes fires, if the timing switch is on. Control
/// then goes to `done`.
void count_other(Context& context, uint32_t place, ir::BlockId done);

/// Emits code that counts the firing, and starts timing if this firing is to be timed. `first` is the index of the
/// group's first probe in the tables of counters.
void begin_cost(Context& context, uint32_t first);

/// Adds the time since the previous clause to the statement's times. Called after each clause but the last.
void end_clause_cost(Context& context, const Statement& statement);

/// Ends the time of the firing. `group` is the firing's group. Called after the group's last statement and wherever an
/// earlier statement ends the firing.
void end_cost(Context& context, const Group& group);

// Counters for each probe of a program, or for each clause, in memory that the consumer maps. If memory suffices, each
// CPU has its own set.
//
// A probe has the same index in all tables of this kind, and Schema::counted lists the probes by index. The index of a
// clause is the id of its statement. In identifiers, `place` means such an index.

struct ByProbe {
    const char* name = nullptr; ///< name of the data object with the counters
    uint32_t stride = 0;        ///< number of bytes of counters per probe or clause
    uint32_t sets = 0;          ///< number of sets of counters: one per CPU, or 1 if CPUs share a set
};

/// Creates the data object with counters for `places` probes or clauses. Stores in `sets` the number of sets of
/// counters.
void lay_out_by_probe(ModuleLowering& module, const char* name, const char* section, std::size_t places,
                      uint32_t stride, uint32_t& sets);

/// Yields the index of the firing probe in the tables of counters. `first` is the index of the program's first probe.
ir::Value index_of_probe(Context& context, uint32_t first);

/// Yields the id (Statement::id) of the statement that the firing probe matched.
ir::Value place_of_clause(Context& context, const Statement& statement);

/// Yields the address of the firing probe's counters on this CPU. Control never goes to `none`, but the verifier
/// requires the branch.
ir::Value counters_of_probe(Context& context, const ByProbe& where, uint32_t first, ir::BlockId none);

/// Yields the address of this CPU's counters of the probe or clause with the index `place`.
ir::Value counters_of(Context& context, const ByProbe& where, ir::Value place, ir::BlockId none);

/// Yields the address of an 8-byte word among the counters of the probe or clause with the index `place`. `word` is the
/// offset of the word, a value whose bounds the verifier can prove.
ir::Value word_of_place(Context& context, const ByProbe& where, ir::Value place, ir::Value word, ir::BlockId none);

/// Yields the address at `offset` in the data named `name`, for an access of `size` bytes. Control never goes to
/// `none`, but the verifier requires the branch.
ir::Value address_in_data(Context& context, const char* name, ir::Value offset, uint32_t size, ir::BlockId none);

// Assigns memory to the counters of programs: numbers of firings (-x hits), their costs (-x cost), and sampling (-x
// maxcost).

/// Creates the counters and timing switches of each probe of each program, if options require them.
void place_counters(ModuleLowering& module, std::vector<Group>& groups);

} // namespace dt::lower
