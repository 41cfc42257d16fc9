// What firings cost, timed by the program itself when -x cost asks for it: of each probe, and of each clause.
//
// Firings are counted while the gate of their program is open (dt_gate), and some are timed: bpf-runtime/cost.bpf.c
// decides which. Words of the frame (dt_costing) say whether this one is. The tracer closes gates of programs that fire
// often (libdtrace/trace/cost_gates.hpp).
//
// A program whose clauses are all in it is lowered twice, once for each state of its gate: Context::is_timed. One that
// calls functions for them asks at the gate whether to count: Context::asks_gate.
#pragma once

#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/groups.hpp"

namespace dt::lower {

/// Makes the memory for so many probes (Schema::counted) and for Schema::others, before any program is lowered.
void lay_out_costs(ModuleLowering& module, std::size_t probes);

/// Whether its gate may ever be closed.
bool may_have_gate(const ModuleLowering& module, const Group& group);

/// Whether its program may be called for what is no firing of its probes.
bool has_others(const ModuleLowering& module, const Group& group);

/// Goes to `open` unless the gate is closed.
void pass_gate(Context& context, ir::BlockId open);

/// In a program that ends tracing: `state` is the address of dt_state.
void open_gates(ir::Builder& b, ir::Value state);

/// Counts what is no firing of the program's probes, where the gate is open, and goes to `done`.
void count_other(Context& context, uint32_t place, ir::BlockId done);

/// Counts the firing, and begins to time it when it is its turn. `first` is the place of the group's first probe.
void begin_cost(Context& context, uint32_t first);

/// Between two clauses: ends the time of the statement.
void end_clause_cost(Context& context, const Statement& statement);

/// Ends the time of the firing. `group`: whose it is; the last of its statements has run, or another has ended it.
void end_cost(Context& context, const Group& group);

} // namespace dt::lower
