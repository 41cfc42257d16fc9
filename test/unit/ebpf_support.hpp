// Helpers for tests of instruction selection and register allocation. They return the code of one function as in the -S
// listing, but without opcodes.
#pragma once

#include <sstream>
#include <string>

#include "dcompiler/ebpf/disassemble.hpp"
#include "dcompiler/ebpf/machine_code.hpp"

namespace dt::test {

/// Returns a module with one raw tracepoint program, the map "hash", and the objects "first" and "second" in .bss.
inline ir::Module sketch()
{
    ir::Module m;
    ir::Function& f = m.functions.emplace_back();
    f.name = "prog";
    f.section = "raw_tp/sys_enter";
    f.param_mem = {ir::Mem::Context};
    f.param_region = {0};
    m.maps.push_back({.name = "hash", .type = 1, .key_size = 8, .value_size = 8, .max_entries = 16});
    m.data.push_back({.name = "first", .section = ".bss", .size = 64});
    m.data.push_back({.name = "second", .section = ".bss", .size = 64});
    return m;
}

inline std::string code(const ir::Module& m, std::size_t function = 0)
{
    constexpr std::size_t kInstruction = 36; // column in which the text of an instruction begins
    std::istringstream listing(disassemble(m, function));
    std::string text, row;
    bool rows = false;
    while (std::getline(listing, row)) {
        if (row.starts_with("INS")) {
            rows = true;
            continue;
        }
        if (row.empty() && rows)
            break; // ends here: the list of relocations follows, which is not part of the code
        if (rows && row.size() > kInstruction)
            text += row.substr(kInstruction) + "\n";
    }
    return text;
}

} // namespace dt::test
