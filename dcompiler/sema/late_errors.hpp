// Deferred errors: errors of a clause's second stage that the first stage found, kept until their statement is checked
// (dtrace-errors(7), WHICH ERROR COMES FIRST).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "dcompiler/diagnostics.hpp"

namespace dt::sema {

struct LateError {
    std::string_view tag;
    Span at;
    std::string message;
    std::string hint;
    Span definition;
};

class LateErrors {
public:
    /// Adds an error. Only the first error of a statement counts.
    void add(const void* statement, LateError error) { errors_.try_emplace(statement, std::move(error)); }
    /// Returns the statement's error, or null.
    const LateError* of(const void* statement) const
    {
        const auto found = errors_.find(statement);
        return found != errors_.end() ? &found->second : nullptr;
    }
    /// Removes all errors at the end of a clause.
    void clear() { errors_.clear(); }

private:
    std::unordered_map<const void*, LateError> errors_;
};

} // namespace dt::sema
