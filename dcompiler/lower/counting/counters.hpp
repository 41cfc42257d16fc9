// Emits code by which a program itself counts and times its firings for -x cost: for each probe and each clause.
//
// Each program has a timing switch (dt_timing_switch). While it is on, firings are counted, and
// bpf-runtime/accounting/cost.bpf.c selects those that are also timed. The state of a timed firing is in words of the
// stack frame (dt_timed_hit). If a program fires often, the tracer turns its timing switch off
// (libdtrace/cost/sampling_windows.hpp).
//
// A program that contains the code of all its clauses is lowered twice, once for each position of its timing switch
// (Context::is_timed). A program that calls functions for its clauses tests the timing switch before it counts
// (Context::tests_timing_switch).
#pragma once

#include <vector>

#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/lower/core/groups.hpp"

namespace dt::lower {

/// Creates the counters of all probes (Schema::counted), and those of program calls that fire no probe
/// (Schema::others). Must be called before programs are lowered.
void lay_out_costs(ModuleLowering& module, std::size_t probes);

/// Returns whether the kernel may call the program although none of its probes fires.
bool has_others(const ModuleLowering& module, const Group& group);

/// Emits a test of the timing switch. Control goes to `on` unless the switch is off.
void test_timing_switch(Context& context, ir::BlockId on);

/// Emits code that turns on all timing switches, in a program that ends tracing: programs whose switch is off do not
/// test whether tracing is on. `state` is the address of dt_state.
void turn_on_timing(ir::Builder& b, ir::Value state);

/// For calls of the program in which none of its probes fires: emits code that counts the call if the timing switch is
/// on. Control then goes to `done`.
void count_other(Context& context, uint32_t place, ir::BlockId done);

/// Emits code that counts the firing. If the firing is selected for timing, the code also starts timing. `first` is the
/// index of the group's first probe in the tables of counters.
void begin_cost(Context& context, uint32_t first);

/// Emits code that adds the time since the end of the previous clause to the times of the statement. Called after each
/// clause but the last.
void end_clause_cost(Context& context, const Statement& statement);

/// Emits code that ends the timing of the firing. `group` is the firing's group. Called after the group's last
/// statement, and wherever an earlier statement ends the firing.
void end_cost(Context& context, const Group& group);

// Counters for each probe of a program, or for each clause, in memory that the consumer maps. If memory suffices, each
// CPU has its own set.
//
// A probe has the same index in all these tables; Schema::counted lists the probes by index. For a clause, the index is
// the id of its statement. Identifiers call such an index `place`.

struct ByProbe {
    const char* name = nullptr; ///< name of the data object with the counters
    uint32_t stride = 0;        ///< number of bytes of counters per probe or clause
    uint32_t sets = 0;          ///< number of sets of counters: one per CPU, or 1 if CPUs share a set
};

/// Creates the data object with counters for `places` probes or clauses. Stores in `sets` how many sets of counters
/// there are: one per CPU, or 1.
void lay_out_by_probe(ModuleLowering& module, const char* name, const char* section, std::size_t places,
                      uint32_t stride, uint32_t& sets);

/// Yields the index of the fired probe in the tables of counters. `first` is the index of the program's first probe.
ir::Value index_of_probe(Context& context, uint32_t first);

/// Yields the id (Statement::id) of the statement that applies to the fired probe.
ir::Value place_of_clause(Context& context, const Statement& statement);

/// Yields the address of the counters of the fired probe on this CPU. Control never goes to `none`, but the verifier
/// requires the branch.
ir::Value counters_of_probe(Context& context, const ByProbe& where, uint32_t first, ir::BlockId none);

/// Yields the address of this CPU's counters for the probe or clause with the index `place`.
ir::Value counters_of(Context& context, const ByProbe& where, ir::Value place, ir::BlockId none);

/// Yields the address of one 8-byte counter of the probe or clause with the index `place`. `word` is the offset of the
/// counter, a value for which the verifier can prove bounds.
ir::Value word_of_place(Context& context, const ByProbe& where, ir::Value place, ir::Value word, ir::BlockId none);

/// Yields the address for an access of `size` bytes at `offset` in the data object `name`. Control never goes to
/// `none`, but the verifier requires the branch.
ir::Value address_in_data(Context& context, const char* name, ir::Value offset, uint32_t size, ir::BlockId none);

// Assigns memory to counters in programs: of firings (-x hits), of their cost (-x cost), and for sampling (-x maxcost).

/// Creates the counters and timing switches of each probe of each program, if options require them.
void place_counters(ModuleLowering& module, std::vector<Group>& groups);

} // namespace dt::lower
