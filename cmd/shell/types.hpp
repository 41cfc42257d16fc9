// Types of expressions, determined by compiling the program with an additional statement. So completion and `type` know
// everything that the compiler knows: probe arguments, variables, translators, kernel types.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

/// Context of an expression: the text before its statement and the text that closes the clause.
struct Place {
    std::string before = "BEGIN {";
    std::string after = "}";
};

/// Calls `use` with the type, which is valid during the call. Returns false if the expression has errors in that
/// context.
bool with_type(Workbench& workbench, const Place& place, const std::string& expression,
               const std::function<void(const Type*)>& use);

/// Returns the member names of a struct, or of the struct that a pointer leads to. Includes members of anonymous
/// structs.
std::vector<std::string> member_names(const Type* type);

/// Returns a type's definition with one member or enumerator per line.
std::string describe(const Type* type);

/// Calls `use` with the type of a type name ("struct file", "file", "psinfo_t") or an expression. Returns false if
/// `name` is neither.
bool with_named_type(Workbench& workbench, const std::string& name, const std::function<void(const Type*)>& use);

} // namespace dt::shell
