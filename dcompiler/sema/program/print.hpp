// Printer of the typed program, for tests and debugging. Each statement is a line; expressions are in prefix form with
// their types.
#pragma once

#include <string>

#include "dcompiler/sema/program/program.hpp"

namespace dt {

/// Return a string such as "(Add:long x:int (Cast:int 3))": operator, type, operands; variables by name, constants by
/// value.
std::string to_string(const TExpr& expr);
std::string to_string(const TStmt& stmt);
std::string to_string(const Statement& statement);

} // namespace dt
