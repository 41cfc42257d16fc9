// Computes the required results of a program, by the rules of dtrace-language(7), OPERATORS, dtrace-language(7),
// NUMBERS AND TYPES and dtrace-actions(7), SUBROUTINES. It is independent of the compiler.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "test/verify/differential/program.hpp"

namespace dt::differential {

// Fault codes: dtrace-output(7), FAULTS AND DROPS.
inline constexpr uint32_t kBadAddress = 1, kDivideByZero = 4, kBadIndex = 11;

struct Value {
    TypeId type = kInt;
    int64_t number = 0;
    std::string text;
    bool operator==(const Value&) const = default;
};
std::string to_string(const Value& value);

/// Results of a clause in its only firing; a clause of ERROR may fire several times.
struct ClauseOutcome {
    uint32_t fault = 0;        ///< after a fault no values are recorded
    std::vector<Value> values; ///< values recorded by trace() and printf(), in order
};

/// Entries of an aggregation: each key with the words of its value (dtrace-aggregations(7), FUNCTIONS).
using Entries = std::map<std::vector<std::string>, std::vector<int64_t>>;

struct Outcome {
    std::vector<ClauseOutcome> clauses;
    uint64_t double_errors = 0; ///< faults that occurred in clauses of ERROR
    std::vector<Entries> aggregations;
};

Outcome evaluate(const Program& program);

/// Returns a key component as text, so that integer and string keys can be compared.
std::string key_text(const Value& value);

} // namespace dt::differential
