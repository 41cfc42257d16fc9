// Computes the results that a program must have, by the rules of the manual: dtrace-language(7), OPERATORS and NUMBERS
// AND TYPES; dtrace-actions(7), SUBROUTINES. Independent of the compiler.
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

/// Results of one clause. Clauses of BEGIN fire once; a clause of ERROR may fire several times.
struct ClauseOutcome {
    uint32_t fault = 0;        ///< after a fault no values are recorded
    std::vector<Value> values; ///< values recorded by trace() and printf(), in order
};

/// Entries of an aggregation: each key with the stored words of its value (dtrace-aggregations(7), FUNCTIONS).
using Entries = std::map<std::vector<std::string>, std::vector<int64_t>>;

struct Outcome {
    std::vector<ClauseOutcome> clauses;
    uint64_t double_errors = 0; ///< number of faults in clauses of ERROR
    std::vector<Entries> aggregations;
};

Outcome evaluate(const Program& program);

/// Returns a component of a key as text, so that integers and strings can be compared alike.
std::string key_text(const Value& value);

} // namespace dt::differential
