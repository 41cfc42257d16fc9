// Checker that validates a module of IR before code is generated from it.
//
// All passes rely on the rules of structure, and the kernel verifier has the rules on memory. This checker finds
// violations earlier, and its errors refer to the D line. Where it knows less than the verifier, it accepts the code.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/ir/ir.hpp"

namespace dt::ir {

struct Refusal {
    std::string function;
    Span at;
    /// Text of an error after "line N: ". It describes the problem, if possible in words of D, without a final period.
    std::string message;
};

/// Checks SSA form: terminators, edges, phi arity, operands that exist and dominate their uses, indices within the
/// module.
std::vector<Refusal> check_structure(const Module& module);

/// Finds accesses to memory that the verifier would refuse, in a module with valid structure. They are outside of a
/// region, at an unbounded offset, or through a pointer that may be null or must not be dereferenced. Stores to
/// read-only memory and reads of uninitialized stack are refused too.
std::vector<Refusal> check_memory(const Module& module);

/// Checks the structure and, if it is valid, the memory accesses. Takes linear time, except that bounds of variable
/// offsets are searched for in the dominators.
std::vector<Refusal> check(const Module& module);

/// Returns the first problem found as an error, "line N: message", or success if there is none.
Result<void> verdict(const std::vector<Refusal>& refusals);

} // namespace dt::ir
