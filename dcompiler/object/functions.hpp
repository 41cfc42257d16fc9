// Functions of a linked BPF ELF object: their instructions, and what these refer to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/ebpf/disassemble.hpp"

namespace dt {

struct ObjectFunction {
    std::string name;
    std::vector<bpf_insn> insns;
    std::vector<ebpf::CodeReference> references; ///< what instructions refer to by relocations, in their order
};

/// Returns programs and the functions that they call, ordered by section and position.
Result<std::vector<ObjectFunction>> read_functions(std::span<const uint8_t> elf);

} // namespace dt
