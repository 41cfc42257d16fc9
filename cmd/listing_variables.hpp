// The table of variables below the listing of a clause (dtrace(8), disasm).
#pragma once

#include <string>
#include <vector>

#include "dcompiler/sema/program.hpp"

namespace dt::cmd {

/// Returns one row for each variable that the statements read or write, in order of first use, or an empty string.
/// `last` is the number of the last instruction; each row's range is the whole listing, because variables are accessed
/// in too many ways to find exact ranges.
std::string variable_table(const std::vector<const Statement*>& statements, std::size_t last);

} // namespace dt::cmd
