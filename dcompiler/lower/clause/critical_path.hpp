// blame(): attribution of a thread's waiting time to the threads that ended the waits. Also the programs that record
// each thread's history (bpf-runtime/accounting/critical_path.bpf.c).
#pragma once

#include "dcompiler/lower/clause/clause_state.hpp"
#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt::lower {

/// Adds the current thread's time from `since` until now, multiplied by `times`, to the aggregation's entries for its
/// wait chains. A wait chain is a sequence of threads, each waiting for the next. `key` is a key of the aggregation and
/// begins with the string that describes the chain. Emits a fault if `since` is 0. Yields 0, or the kernel's error if
/// an entry could not be stored.
ir::Value lower_blame(ClauseLowering& l, const TStmt& statement, ir::Value key, ir::Value since, ir::Value times);

/// Adds the programs that record the history of threads: what each one does and waits for. These programs belong to no
/// probe.
void add_history_programs(ModuleLowering& module);

} // namespace dt::lower
