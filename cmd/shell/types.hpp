// The type of an expression, told by the compiler: the program is compiled with one statement more, and that statement
// looked at. So completion and `type` know whatever the compiler knows: arguments of the probe, variables, translators,
// types of the kernel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/shell/workbench.hpp"

namespace dt::shell {

/// A clause to look from: what stands before the expression's statement, and what closes it.
struct Place {
    std::string before = "BEGIN {";
    std::string after = "}";
};

/// False: the expression has errors there. The type lives as long as `use` runs.
bool with_type(Workbench& workbench, const Place& place, const std::string& expression,
               const std::function<void(const Type*)>& use);

/// Names of the members of a struct, or of the one that pointers lead to; those of members without a name are its own.
std::vector<std::string> member_names(const Type* type);

/// A type with its members or enumerators, a line each.
std::string describe(const Type* type);

/// The type of a name as programs write it ("struct file", "file", "psinfo_t"), or of an expression. False: it is
/// neither.
bool with_named_type(Workbench& workbench, const std::string& name, const std::function<void(const Type*)>& use);

} // namespace dt::shell
