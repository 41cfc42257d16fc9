// Whether two statements are one clause that means the same under both of its descriptions: then one piece of code can
// serve the probes of both.
#pragma once

#include "dcompiler/sema/program.hpp"

namespace dt::lower {

/// In programs of one attach plan. What asks for types of args[] is the same when these come from the same arguments
/// and have the same types. Linear in the clause; of different clauses mostly told at the first look.
bool is_same_code(const Statement& a, const Statement& b, ProbeSource& probes);

} // namespace dt::lower
