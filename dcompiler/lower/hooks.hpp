// Lowering's side of the built-in table: from a built-in to the function that makes its IR.
#pragma once

#include <optional>
#include <string_view>

#include "dcompiler/lower/operand.hpp"
#include "dcompiler/sema/builtins.hpp"

namespace dt::lower {

struct ModuleLowering;
class ClauseLowering;
class ClauseState;

using LowerExpr = Operand (*)(ClauseLowering&, const TExpr&);
using LowerAction = void (*)(ClauseLowering&, const TStmt&);

/// The hook of a name that is implemented: sema lets no other pass.
LowerExpr hook(const BuiltinVariable& variable);
LowerExpr hook(const Subroutine& subroutine);
LowerAction hook(const Action& action);

/// Byte offset of a member of a kernel struct, anonymous members included; empty when the kernel's types do not tell.
/// The path may lead into members that are structs: "se.sum_exec_runtime".
std::optional<uint64_t> kernel_offset(const ModuleLowering& module, std::string_view record, std::string_view path);
std::optional<uint64_t> kernel_offset(ClauseState& l, std::string_view record, std::string_view path);
/// The byte and the bit in it where a bit-field begins.
struct KernelBit {
    uint64_t offset = 0;
    uint32_t bit = 0;
};
std::optional<KernelBit> kernel_bit(const ModuleLowering& module, std::string_view record, std::string_view member);
/// As kernel_offset(), for something that cannot do without: an error that says so, and 0, when there is no such
/// member.
int64_t needed_offset(ClauseLowering& l, const Span& at, std::string_view who, std::string_view record,
                      std::string_view path);

/// The value on this CPU of a map that Maps::per_cpu() made.
ir::Value cpu_value(ClauseLowering& l, uint32_t map);

/// 0..3 when e is probeprov, probemod, probefunc or probename, else -1.
int probe_component_index(const TExpr& e);

Operand lower_timestamp(ClauseLowering& l, const TExpr& e);
Operand lower_vtimestamp(ClauseLowering& l, const TExpr& e);

bool is_curcpu_member(const TExpr& e);

} // namespace dt::lower
