// Decides whether two statements are one clause with the same meaning under both of its probe descriptions. One piece
// of code can then serve the probes of both.
#pragma once

#include "dcompiler/sema/program.hpp"

namespace dt::lower {

/// Returns whether the statements have the same code, in programs of one attach plan. Uses of args[] are the same if
/// they read the same arguments with the same types. The time is linear in the size of the clause; most different
/// clauses are detected at once.
bool is_same_code(const Statement& a, const Statement& b, ProbeSource& probes);

} // namespace dt::lower
