// Checker that validates a module before code generation.
//
// All passes rely on the structural rules, so the checker finds a violation before the kernel does. The memory rules
// anticipate the kernel verifier, and errors refer to the D line of the access. If the checker knows less about some
// code than the verifier, it accepts the code.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/ir/ir.hpp"

namespace dt::ir {

struct Refusal {
    std::string function;
    Span at;
    /// Error text after "line N: ". It describes the problem, if possible in terms of D, and has no final punctuation.
    std::string message;
};

/// Checks SSA form: terminators, edges, phi arity, operands that exist and dominate their uses, indices within the
/// module.
std::vector<Refusal> check_structure(const Module& module);

/// Finds accesses that the verifier would refuse, in a module with valid structure. They are: outside of a region, at
/// an unbounded offset, through a pointer that may be null or must not be dereferenced, stores to read-only memory, and
/// reads of uninitialised stack.
std::vector<Refusal> check_memory(const Module& module);

/// Runs the check of the structure and, if the structure is valid, the check of memory accesses. Takes linear time,
/// except that variable offsets are searched for in the dominators.
std::vector<Refusal> check(const Module& module);

/// Returns the first refusal as an error, "line N: message", or success if there is none.
Result<void> verdict(const std::vector<Refusal>& refusals);

} // namespace dt::ir
