// Programs as the kernel has them: the machine code that it made of them, or the instructions that it made that of, and
// which line of which text each instruction is of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

struct bpf_object;

namespace dt {

/// From this address on, code is of this place.
struct CodeLine {
    uint64_t address = 0;
    std::string file, text; ///< as the program's line information has them (dcompiler/ebpf/btf.hpp)
    uint32_t line = 0, column = 0;
};

/// A function of a program: the program itself is its first one.
struct CodeFunction {
    std::string name;
    uint64_t address = 0;
    std::vector<uint8_t> bytes;
    std::vector<CodeLine> lines; ///< by address
};

struct ProgramCode {
    std::string name;
    std::vector<CodeFunction> functions;
};

/// Those of a loaded object. The error says why the kernel does not give them: it hides its addresses, or it
/// interprets programs.
Result<std::vector<ProgramCode>> read_program_code(const bpf_object* object);

/// The same programs as BPF instructions (struct bpf_insn), as the verifier left them: what cannot be reached is gone,
/// and maps are named by their ids. Addresses are bytes from the beginning of the program.
Result<std::vector<ProgramCode>> read_verified_code(const bpf_object* object);

} // namespace dt
