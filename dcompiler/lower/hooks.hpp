// Lowering's side of the built-in table: from a built-in's name to the function that makes its IR.
#pragma once

#include <optional>
#include <string_view>

#include "dcompiler/lower/operand.hpp"
#include "dcompiler/sema/builtins.hpp"

namespace dt::lower {

/// The hook, or null for a name that has no implementation.
LowerVariable variable_hook(std::string_view name);
LowerSubroutine subroutine_hook(std::string_view name);
LowerAction action_hook(std::string_view name);

/// Byte offset of a member of a kernel struct, anonymous members included; empty when the kernel's types do not tell.
std::optional<uint64_t> kernel_offset(ClauseLowering& l, std::string_view record, std::string_view member);

/// 0..3 when e is probeprov, probemod, probefunc or probename, else -1.
int probe_component_index(const TExpr& e);

bool is_curcpu_member(const TExpr& e);

} // namespace dt::lower
