// The functions of a BPF ELF object as instructions and what they refer to: what is there after linking.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dcompiler/ebpf/disassemble.hpp"
#include "base/result.hpp"

namespace dt {

struct ObjectFunction {
    std::string name;
    std::vector<bpf_insn> insns;
    std::vector<ebpf::CodeReference> references; ///< in instruction order
};

/// Programs and the functions that they call, in the order of their sections and places.
Result<std::vector<ObjectFunction>> read_functions(std::span<const uint8_t> elf);

} // namespace dt
