// The typed program as text, for tests and for reading: one line a statement, expressions in prefix form with their
// types.
#pragma once

#include <string>

#include "dcompiler/sema/program.hpp"

namespace dt {

/// "(Add:long x:int (Cast:int 3))": operator, type, operands; variables and constants by name and value.
std::string to_string(const TExpr& expr);
std::string to_string(const TStmt& stmt);
std::string to_string(const Statement& statement);

} // namespace dt
