// The checker: what is wrong with a module before anyone makes code of it.
//
// Structure is what every pass relies on (and a pass that breaks it is found here, not by the kernel). Memory is what
// the kernel verifier will ask: it is answered here first, at the D line the access came from. The checker is lenient
// where it knows less than the verifier.
#pragma once

#include <string>
#include <vector>

#include "dcompiler/ir/ir.hpp"
#include "base/result.hpp"

namespace dt::ir {

struct Refusal {
    std::string function;
    Span at;
    std::string message; ///< a sentence part, in D terms where there are any
};

/// SSA form: terminators, edges, phi arity, operands that exist and dominate their uses, indices within the module.
std::vector<Refusal> check_structure(const Module& module);

/// Accesses the verifier refuses: outside a region, at an unbounded offset, through a pointer that may be null or is
/// not ours to follow, stores to what is read-only, reads of stack never written. The structure must be sound.
std::vector<Refusal> check_memory(const Module& module);

/// Both; memory only if the structure is sound. Cost: linear in the module, but for variable offsets, which look up
/// their dominators.
std::vector<Refusal> check(const Module& module);

/// The first refusal as an error: "line N: message". Ok when there is none.
Result<void> verdict(const std::vector<Refusal>& refusals);

} // namespace dt::ir
