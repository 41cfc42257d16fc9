// Printer of the typed program, for tests and debugging: one line per statement, expressions in prefix form with types.
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
