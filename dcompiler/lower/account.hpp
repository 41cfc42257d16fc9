// Where the time of a thread goes: mark(), breakdown(), and the programs that keep the account
// (bpf-runtime/account.bpf.c).
#pragma once

#include "dcompiler/lower/clause_state.hpp"
#include "dcompiler/lower/module.hpp"
#include "dcompiler/sema/program.hpp"

namespace dt::lower {

class ClauseLowering;

/// A mark that the current thread has, and the time since when it is asked about.
struct MarkedTime {
    ir::Value account = ir::kNone, number = ir::kNone, now = ir::kNone;
};

/// Finds the mark that breakdown() in `statement` is asked about; a fault where the thread has no such mark.
MarkedTime marked_time(ClauseLowering& l, const TStmt& statement, ir::Value mark);
/// Adds the parts of the time since then, each `times`, to the words of an aggregation.
void add_parts(ClauseLowering& l, const MarkedTime& marked, ir::Value words, ir::Value times);

/// Adds the programs that tell parts from each other, as far as the kernel has tracepoints for them. They serve no
/// probe.
void add_account_programs(ModuleLowering& module);

} // namespace dt::lower
