// Lowering's side of the built-in table: from a built-in's name to the function that makes its IR.
#pragma once

#include <string_view>

#include "dcompiler/lower/operand.hpp"
#include "dcompiler/sema/builtins.hpp"

namespace dt::lower {

/// The hook, or null for a name that has no implementation.
LowerVariable variable_hook(std::string_view name);
LowerSubroutine subroutine_hook(std::string_view name);
LowerAction action_hook(std::string_view name);

/// 0..3 when e is probeprov, probemod, probefunc or probename, else -1.
int probe_component_index(const TExpr& e);

} // namespace dt::lower
