// Whom the time of a thread is charged to: blame(), and the programs that keep what threads did
// (bpf-runtime/blame.bpf.c).
#pragma once

#include "dcompiler/lower/clause_state.hpp"
#include "dcompiler/lower/module.hpp"
#include "dcompiler/sema/program.hpp"

namespace dt::lower {

class ClauseLowering;

/// Charges the time of the current thread since `since`, each nanosecond `times`, to the entries of chains: `key` is
/// one of the aggregation's, whose first bytes are the chain's. A fault where `since` is 0. Yields how many found no
/// room.
ir::Value lower_blame(ClauseLowering& l, const TStmt& statement, ir::Value key, ir::Value since, ir::Value times);

/// Adds the programs that note what each thread does. They serve no probe.
void add_history_programs(ModuleLowering& module);

} // namespace dt::lower
