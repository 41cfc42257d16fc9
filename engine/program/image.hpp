// A decoded BPF object: instructions, functions, maps and data. Instructions refer to maps, sections and functions by
// index. parse() makes an Image from an ELF file; tests also make their own.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::vm {

/// A function, whose instructions are code[first .. first + count).
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

/// References in `code` are marked in src_reg of ld_imm64. BPF_PSEUDO_MAP_FD: imm is the map's index.
/// BPF_PSEUDO_MAP_VALUE: imm is the section's index, and the next slot's imm is the offset. BPF_PSEUDO_FUNC: imm is the
/// index of the function's first instruction in `code`. Calls with BPF_PSEUDO_CALL are relative to the next
/// instruction.
struct Image {
    std::vector<bpf_insn> code;
    std::vector<Function> functions;
    std::vector<MapSpec> maps;
    std::vector<Section> sections;

    MapSpec* map(std::string_view name);
    Section* section(std::string_view name);
    const Function* function(std::string_view name) const;
};

/// Decodes a complete (linked) BPF ELF object without kernel calls. Errors name the part that is not understood. For
/// maps whose size a loader must set, max_entries is 0; the caller sets it before running the image.
Result<Image> parse(std::span<const uint8_t> elf);

} // namespace dt::vm
