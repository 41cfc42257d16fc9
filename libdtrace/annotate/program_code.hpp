// Reads the code of loaded programs from the kernel: machine code, or the verified BPF instructions, with the source
// line of each instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

struct bpf_object;

namespace dt {

/// File, line and column of the source of the machine code that starts at `address`.
struct CodeLine {
    uint64_t address = 0;
    /// Name of the source file and text of the source line, both from the program's line information
    /// (dcompiler/ebpf/btf.hpp).
    std::string file, text;
    uint32_t line = 0, column = 0;
};

/// A function of a program; the first function is the program's entry function.
struct CodeFunction {
    std::string name;
    uint64_t address = 0;
    std::vector<uint8_t> bytes;
    std::vector<CodeLine> lines; ///< source positions of the function's code, ordered by address
};

struct ProgramCode {
    std::string name;
    std::vector<CodeFunction> functions;
};

/// Returns the machine code of a loaded object's programs. The error explains why the kernel does not provide the code:
/// the kernel hides addresses, or it interprets programs.
Result<std::vector<ProgramCode>> read_program_code(const bpf_object* object);

/// Returns the programs as BPF instructions (struct bpf_insn) after verification: unreachable code is removed, and
/// instructions refer to maps by their ids. Addresses are byte offsets from the beginning of the program.
Result<std::vector<ProgramCode>> read_verified_code(const bpf_object* object);

} // namespace dt
