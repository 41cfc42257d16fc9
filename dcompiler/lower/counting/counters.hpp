// Counts and times firings in the program itself for -x cost, for each probe and each clause.
//
// Each program has a counting switch, the gate (dt_gate). Firings are counted while it is open, and some are timed;
// bpf-runtime/cost.bpf.c chooses them. Words of the frame (dt_costing) hold the state of a timed firing. The tracer
// closes the gates of programs that fire often (libdtrace/trace/cost_gates.hpp).
//
// A program that contains all its clauses is lowered twice, once per state of its gate: Context::is_timed. A program
// that calls functions for its clauses tests the gate before it counts: Context::asks_gate.
#pragma once

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

/// Creates the counters of all probes (Schema::counted) and of Schema::others. Must be called before programs are
/// lowered.
void lay_out_costs(ModuleLowering& module, std::size_t probes);

/// Returns whether the program's gate may ever be closed.
bool may_have_gate(const ModuleLowering& module, const Group& group);

/// Returns whether the program may be called without a firing of its probes.
bool has_others(const ModuleLowering& module, const Group& group);

/// Goes to `open` unless the gate is closed.
void pass_gate(Context& context, ir::BlockId open);

/// Opens all gates, in a program that ends tracing. `state` is the address of dt_state.
void open_gates(ir::Builder& b, ir::Value state);

/// Counts a call without a firing of the program's probes if the gate is open, and goes to `done`.
void count_other(Context& context, uint32_t place, ir::BlockId done);

/// Counts the firing, and starts timing if it is due. `first` is the place of the group's first probe.
void begin_cost(Context& context, uint32_t first);

/// Ends the time of a statement between two clauses.
void end_clause_cost(Context& context, const Statement& statement);

/// Ends the time of the firing. `group` is the firing's group. Either its last statement has run or another one has
/// ended the firing.
void end_cost(Context& context, const Group& group);

} // namespace dt::lower
