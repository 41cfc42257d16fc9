// Finds the function that generates the IR of a built-in. Also declares the type of value that such a function returns,
// and helpers that several of them use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dcompiler/ir/ir.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::lower {

/// Value of an expression during lowering: a number in a register, or the address and properties of a string or of
/// bytes.
struct Operand {
    enum class Kind : uint8_t {
        Number, ///< a number of 64 bits, extended according to the type
        Text,   ///< address of a string, which ends at a NUL or at the latest after `size` bytes
        Bytes,  ///< address of an object of `size` bytes
    } kind = Kind::Number;
    ir::Value value = ir::kNone;
    /// Kind::Text and Kind::Bytes: memory that contains the data. Programs load directly from MapValue and Stack
    /// memory, and need a probe-read helper for Kernel and User memory.
    ir::Mem mem = ir::Mem::None;
    uint32_t size = 0;
    bool may_be_null = false; ///< Kind::Text: the address may be 0 (a NULL string)
    bool constant = false;    ///< Kind::Text: the string is a literal with the characters `text`
    std::string text;
    /// Kind::Text: whether the string is in the program's own memory although `mem` is Kernel; reading it then cannot
    /// fail
    bool readable = false;
    bool open = false; ///< Kind::Text: the string is a character array that need not contain a NUL within `size`

    bool loadable() const { return mem == ir::Mem::MapValue || mem == ir::Mem::Stack; }
};

inline Operand number(ir::Value value)
{
    return {Operand::Kind::Number, value, ir::Mem::None, 8, false, false, {}};
}

struct ModuleLowering;
class ClauseLowering;
class ClauseState;

using LowerExpr = Operand (*)(ClauseLowering&, const TExpr&);
using LowerAction = void (*)(ClauseLowering&, const TStmt&);

/// Returns the function that lowers the built-in. Every built-in that passes semantic analysis has one.
LowerExpr hook(const BuiltinVariable& variable);
LowerExpr hook(const Subroutine& subroutine);
LowerAction hook(const Action& action);

/// Returns the byte offset of a member of a kernel struct, also of members of its anonymous structs. Returns nothing if
/// the kernel's types lack it. The path may lead into nested structs: "se.sum_exec_runtime".
std::optional<uint64_t> kernel_offset(const ModuleLowering& module, std::string_view record, std::string_view path);
std::optional<uint64_t> kernel_offset(ClauseState& l, std::string_view record, std::string_view path);
/// Location of a bit-field: byte offset, and index of the first bit in that byte.
struct KernelBit {
    uint64_t offset = 0;
    uint32_t bit = 0;
};
std::optional<KernelBit> kernel_bit(const ModuleLowering& module, std::string_view record, std::string_view member);
/// Returns the same as kernel_offset(). If the member does not exist, reports an error and returns 0.
int64_t needed_offset(ClauseState& l, const Span& at, std::string_view who, std::string_view record,
                      std::string_view path);

/// Returns where a thread's saved user registers (struct pt_regs) are: the offset in bytes from the beginning of its
/// kernel stack. Kernels without bpf_task_pt_regs() require this offset.
uint64_t saved_registers_offset(const ModuleLowering& module);

/// Yields the address of the current CPU's value in a map that Maps::per_cpu() has created.
ir::Value cpu_value(ClauseLowering& l, uint32_t map);

/// Returns which component of the probe's name the expression is: 0 to 3 for probeprov, probemod, probefunc and
/// probename, -1 for other expressions.
int probe_component_index(const TExpr& e);

Operand lower_timestamp(ClauseLowering& l, const TExpr& e);
Operand lower_vtimestamp(ClauseLowering& l, const TExpr& e);

bool is_curcpu_member(const TExpr& e);

} // namespace dt::lower
