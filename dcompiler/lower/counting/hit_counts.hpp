// Emits code that counts how each firing of a probe, and each run of a clause in it, ends: filtered, recorded or lost.
// The program counts if -x hits is set.
//
// The program increments a first counter when it knows the probe that fired. A word of the frame collects the outcome
// of the clauses. At the end of the firing, the program increments one of three other counters, so the first counter is
// the sum of the three. Each clause that applies to the probe has the same counters, with separate bits of the word.
// Each CPU has its own counters. The kernel never nests a program in itself on one CPU, so a plain addition is exact.
#pragma once

#include "dcompiler/lower/core/context.hpp"

namespace dt::lower {

/// Outcome of a firing, in bits 0 and 1 of the word in the frame. The value 0 means that no predicate was true.
enum class Outcome : int64_t { Ran = 1, Lost = 3 };

/// Creates the counters of probes and clauses. Must be called before programs are lowered.
void lay_out_hits(ModuleLowering& module, std::size_t probes);

/// Emits code that counts the beginning of a firing of the group. count_hit() counts every end of a firing. If the
/// numbers of begun and ended firings differ, a reader of the counters knows that firings were in progress.
void count_hit_start(Context& context, uint32_t first);

/// Records the outcome of the firing and of the running clause. Does nothing without -x hits.
void note(Context& context, Outcome outcome);

/// Yields the value of dt_sample.size for a sample of `size` bytes, which must be the next one sent.
ir::Value size_word(Context& context, uint32_t size);

/// Emits code that counts the firing by its recorded outcome. `first` is the index of the group's first probe in the
/// table of counters.
void count_hit(Context& context, uint32_t first);

/// Returns whether clauses are counted. Clauses of ERROR are not counted; their work belongs to the failed clause.
bool counts_clauses(const Context& context);

/// Emits code that counts the beginning of a clause. count_clause() counts its outcome wherever control leaves it.
void count_clause_start(Context& context, const Statement& statement);
void count_clause(Context& context, const Statement& statement);

// The following functions emit code that runs in the function that a faulting clause calls, before the clauses of
// ERROR.

/// Sends struct dt_fault in a separate sample, from which the consumer prints the error line.
void report_fault(Context& context);

/// With -x pin, counts a sample that was written to a principal buffer, because the tracer may die before it reads the
/// sample.
void count_sent(Context& context);

/// Frees the scratch memory of ERROR, because ERROR may have fired earlier during the same firing of another probe.
void free_area(Context& context);

} // namespace dt::lower
