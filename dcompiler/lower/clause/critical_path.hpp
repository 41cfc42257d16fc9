// blame(): attribution of a thread's time to the threads it waited for, and the programs that keep each thread's
// history (bpf-runtime/accounting/critical_path.bpf.c).
#pragma once

#include "dcompiler/lower/clause/clause_state.hpp"
#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::lower {

/// Charges the current thread's time since `since`, multiplied by `times`, to the entries of its wait chains. `key` is
/// a key of the aggregation; the key begins with the string that describes the chain. Faults if `since` is 0. Yields 0,
/// or the kernel's error if an entry could not be stored.
ir::Value lower_blame(ClauseLowering& l, const TStmt& statement, ir::Value key, ir::Value since, ir::Value times);

/// Adds the programs that record what each thread does. These programs belong to no probe.
void add_history_programs(ModuleLowering& module);

} // namespace dt::lower
