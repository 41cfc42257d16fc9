// A BPF object taken apart: instructions with their references resolved to numbers, functions, maps and data. Made from
// an ELF file by parse(), or by hand in a test.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <linux/bpf.h>

#include "base/result.hpp"

namespace dt::vm {

/// A function's instructions are code[first .. first + count).
struct Function {
    std::string name;
    std::string section;
    uint32_t first = 0;
    uint32_t count = 0;
};

struct MapSpec {
    std::string name;
    uint32_t type = BPF_MAP_TYPE_ARRAY;
    uint32_t key_size = 4;
    uint32_t value_size = 8;
    uint32_t max_entries = 0;
    uint32_t flags = 0;
};

struct Section {
    std::string name;
    std::vector<uint8_t> bytes;
    bool writable = true;
};

/// References inside `code`, as ld_imm64 marks them in src_reg: BPF_PSEUDO_MAP_FD: imm = index of the map;
/// BPF_PSEUDO_MAP_VALUE: imm = index of the section, the next slot's imm = offset in it; BPF_PSEUDO_FUNC: imm = index
/// in `code` of the function. Calls with BPF_PSEUDO_CALL are relative to the next instruction, as always.
struct Image {
    std::vector<bpf_insn> code;
    std::vector<Function> functions;
    std::vector<MapSpec> maps;
    std::vector<Section> sections;

    MapSpec* map(std::string_view name);
    Section* section(std::string_view name);
    const Function* function(std::string_view name) const;
};

/// Reads a complete (linked) BPF ELF object. Errors say what in the file is not understood; no kernel call is made.
/// Maps that leave max_entries to their loader have 0 there: set it before the image is run.
Result<Image> parse(std::span<const uint8_t> elf);

} // namespace dt::vm
