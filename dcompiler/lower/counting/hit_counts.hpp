// Emits code that counts how each firing of a probe, and each run of a clause in it, ends: filtered, recorded or lost.
// Used with -x hits.
//
// The program increments a first counter when it knows which probe has fired. During the firing, a word of the stack
// frame collects the outcome of the clauses. At the end, the program increments one of three other counters, so their
// sum equals the first counter. Each clause that applies to the probe has the same four counters, and its own bits in
// the word. A plain addition is exact if counters are per CPU and the program cannot interrupt itself on a CPU.
// Otherwise the program adds atomically.
#pragma once

#include "dcompiler/lower/core/context.hpp"

namespace dt::lower {

/// Outcome of a firing: bits 0 and 1 of the outcome word in the stack frame. The value 0, without a name here, means
/// that no predicate was true.
enum class Outcome : int64_t { Ran = 1, Lost = 3 };

/// Creates the counters of probes and clauses. Must be called before programs are lowered.
void lay_out_hits(ModuleLowering& module, std::size_t probes);

/// Emits code that counts the beginning of a firing of the group. count_hit() counts every end of a firing. If the
/// numbers of begun and ended firings differ, a reader of the counters knows that some firings have not ended yet.
void count_hit_start(Context& context, uint32_t first);

/// Emits code that records the outcome of the firing and of the running clause in the outcome word. Does nothing
/// without -x hits.
void note(Context& context, Outcome outcome);

/// Yields the value of dt_sample.size for a sample of `size` bytes. The program must send this sample next.
ir::Value size_word(Context& context, uint32_t size);

/// Emits code that counts the firing by the outcome in the outcome word. `first` is the index of the group's first
/// probe in the table of counters.
void count_hit(Context& context, uint32_t first);

/// Returns whether clauses are counted. Clauses of ERROR are not counted, because they run as a part of the clause that
/// failed.
bool counts_clauses(const Context& context);

/// Emits code that counts the beginning of a clause. count_clause() counts how it ends, wherever control leaves it.
void count_clause_start(Context& context, const Statement& statement);
void count_clause(Context& context, const Statement& statement);

// The following functions emit code for the function that a clause calls when it faults; the code precedes the clauses
// of ERROR.

/// Sends struct dt_fault as a sample of its own, from which the consumer prints the message about the fault.
void report_fault(Context& context);

/// With -x pin, counts each sample that is written to a buffer. If the tracer dies before it reads the sample, the next
/// tracer knows of the loss.
void count_sent(Context& context);

/// Frees the memory that earlier ERROR clauses of this firing got from alloca(). A firing can cause several faults,
/// each of which fires ERROR.
void free_area(Context& context);

} // namespace dt::lower
