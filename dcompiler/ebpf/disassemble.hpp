// eBPF instructions as rows of text: the listing of -S (output reference 2.7), at whatever stage the instructions are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dcompiler/ebpf/insn.hpp"

namespace dt::ebpf {

/// What an instruction refers to by name: a map, a datum, a function.
struct CodeReference {
    uint32_t insn = 0;
    std::string name;
    bool is_call = false;
    bool undefined = false;       ///< the runtime's, not yet linked
    std::optional<int64_t> offset; ///< into what is named; none: the instruction's own value
};

/// The rows below their column heading, with what is called, loaded or jumped to as a comment. `references` in instruction order.
std::string instruction_rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references);

/// The table of relocations, or nothing when there are none.
std::string relocation_rows(std::span<const bpf_insn> insns, std::span<const CodeReference> references);

} // namespace dt::ebpf
