// Printed form of eBPF instructions for -S (dtrace(8), disasm), for code before and after linking.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/ebpf/insn.hpp"
#include "dcompiler/ir/ir.hpp"

namespace dt::ebpf {

/// A named thing to which an operand of an instruction refers: a map, a data object or a function.
struct CodeReference {
    uint32_t insn = 0;
    std::string name;
    bool is_call = false;
    bool undefined = false;        ///< whether the operand is a function of bpf-runtime that is not linked yet
    std::optional<int64_t> offset; ///< offset in the named object; if absent, the number in the instruction is shown
};

/// Returns the name of a kernel helper, such as "bpf_loop"; for an unknown helper returns its number in decimal.
std::string helper_name(int32_t number);

/// Returns the printed instructions (the lines below the column headings), with comments that name called functions,
/// loaded objects and jump targets. `references` are in instruction order.
std::string instruction_rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references);

/// Returns the printed table of relocations, or an empty string if there are none.
std::string relocation_rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references);

} // namespace dt::ebpf

namespace dt {

/// Callback that returns the table of variables that -S prints. `last` is the index of the function's last instruction.
using VariableTable = std::function<std::string(std::size_t last)>;

/// Returns what -S prints for one function: heading, instructions, `variables` if any, and relocations. `heading` names
/// the code ("clause :::BEGIN"). If it is empty, the heading is "function", or "program" and the section.
std::string disassemble(const ir::Module& module, std::size_t function, std::string_view heading = {},
                        const VariableTable& variables = {});

} // namespace dt
