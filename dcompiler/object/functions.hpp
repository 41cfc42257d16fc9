// Functions of a linked BPF ELF object: instructions and their references.
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
    std::vector<ebpf::CodeReference> references; ///< references in the order of the instructions
};

/// Returns programs and the functions that they call, ordered by section and position.
Result<std::vector<ObjectFunction>> read_functions(std::span<const uint8_t> elf);

} // namespace dt
