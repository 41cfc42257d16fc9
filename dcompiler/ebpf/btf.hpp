// The BTF of a compiled module: types for functions, maps and data, and .BTF.ext, which ties instructions to functions
// and to D lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dcompiler/ebpf/code.hpp"
#include "dcompiler/ir/ir.hpp"

struct btf;

namespace dt::ebpf {

/// A function's code at its place in a section; `offset` in bytes.
struct PlacedCode {
    const ir::Function* function = nullptr;
    const Code* code = nullptr;
    uint32_t offset = 0;
};

struct PlacedSection {
    std::string name;
    std::vector<PlacedCode> functions;
    uint32_t size = 0;
};

/// A variable at its place in a data section or .maps; `index` into the module's data or maps.
struct PlacedVariable {
    uint32_t index = 0;
    uint32_t offset = 0;
    uint32_t size = 0;
};

struct PlacedData {
    std::string name;
    std::vector<PlacedVariable> variables;
    uint32_t size = 0;

    /// Whether others see this variable. libbpf looks each one that is global up among all symbols, so of fifty
    /// thousand only the first is: a section with none cannot be mapped.
    bool is_global(const PlacedVariable& variable) const { return &variable == variables.data(); }
};

/// Bytes libbpf reads for one map of .maps: a pointer for each member of its definition.
uint32_t map_definition_size(const ir::Map& map);

/// Where the prototypes of runtime functions come from: the BTF that declares each, and its FUNC type there.
struct Prototype {
    const struct btf* btf = nullptr;
    uint32_t function = 0;
};

struct BtfInput {
    const ir::Module* module = nullptr;
    std::span<const PlacedSection> code; ///< programs and .text
    std::span<const PlacedData> data;
    const PlacedData* maps = nullptr;
    std::vector<std::string> runtime; ///< undefined functions
    std::unordered_map<std::string, Prototype> prototypes;
};

struct BtfSections {
    std::vector<uint8_t> btf, ext;
};

Result<BtfSections> make_btf(const BtfInput& input);

/// What line information calls a span's file, and the beginning of its line, without surrounding blanks: the verifier's
/// log shows it.
std::string file_of(const Span& at);
std::string line_text_of(const Span& at);

} // namespace dt::ebpf
