// The table of variables below the listing of a clause (dtrace(8), disasm).
#pragma once

#include <string>
#include <vector>

#include "dcompiler/sema/program.hpp"

namespace dt::cmd {

/// What the statements read and write, a row each, in the order of first use; empty when they use no variable. `last`
/// is the number of the last instruction: variables are reached in so many ways that each row's range is the whole
/// listing.
std::string variable_table(const std::vector<const Statement*>& statements, std::size_t last);

} // namespace dt::cmd
