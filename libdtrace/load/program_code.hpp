// Programs as the processor runs them: the code that the kernel made of them, where it lies, and which line of which
// text each instruction is of.
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

} // namespace dt
