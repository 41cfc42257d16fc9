// How every firing of a probe ends, and every run of a clause in it, counted by the program itself when -x firings asks
// for it: filtered, recorded or lost.
//
// The program adds one to a counter when it knows which probe fired. A word of the frame collects what happens in the
// clauses; one of three other counters is added to when it ends, so that the first is the sum of the three. The same is
// done for each clause that applies to the probe, with bits of the word that it has alone. Each CPU has its own
// counters, and the kernel never runs a program inside itself on one CPU, so that a plain addition is exact.
#pragma once

#include "dcompiler/lower/context.hpp"

namespace dt::lower {

enum class Outcome : int64_t { Ran = 1, Lost = 3 }; ///< of the frame's word, bits 0 and 1; 0: no predicate held

/// Makes the counters of so many probes and of all clauses, before any program is lowered.
void lay_out_firings(ModuleLowering& module, std::size_t probes);

/// Counts that a firing of the group has begun. Whatever happens then, count_firing() counts it once more: so that
/// whoever reads the counters sees whether one ended that never began, or the other way about.
void count_beginning(Context& context, uint32_t first);

/// Notes what became of the firing, and of the clause that runs; nothing without -x firings.
void note(Context& context, Outcome outcome);

/// What a sample of `size` bytes has in dt_sample.size. It is to be sent next.
ir::Value size_word(Context& context, uint32_t size);

/// Counts the firing as it was noted. `first` is the place of the group's first probe among the counters.
void count_firing(Context& context, uint32_t first);

/// Whether clauses are counted: not those of ERROR, which are of the clause that failed.
bool counts_clauses(const Context& context);

/// Counts that a clause has begun, and, wherever control leaves it, how it ended.
void count_clause_beginning(Context& context, const Statement& statement);
void count_clause(Context& context, const Statement& statement);

} // namespace dt::lower
