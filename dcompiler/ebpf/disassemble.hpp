// eBPF instructions as rows of text: the listing of -S (dtrace(8), disasm), at whatever stage the instructions are.
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

/// What an instruction refers to by name: a map, a datum, a function.
struct CodeReference {
    uint32_t insn = 0;
    std::string name;
    bool is_call = false;
    bool undefined = false;        ///< the runtime's, not yet linked
    std::optional<int64_t> offset; ///< into what is named; none: the instruction's own value
};

/// The rows below their column heading, with what is called, loaded or jumped to as a comment. `references` in
/// instruction order.
std::string instruction_rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references);

/// The table of relocations, or nothing when there are none.
std::string relocation_rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references);

} // namespace dt::ebpf

namespace dt {

/// A table made by who knows the variables, given the number of the last instruction.
using VariableTable = std::function<std::string(std::size_t last)>;

/// The listing of -S for one function (output-and-cli.md 2.7): heading, instructions, `variables` when there are any,
/// relocations; taken from the emitted code. `heading` is what is disassembled ("clause :::BEGIN"); when empty,
/// "function", or "program" and the section.
std::string disassemble(const ir::Module& module, std::size_t function, std::string_view heading = {},
                        const VariableTable& variables = {});

} // namespace dt
