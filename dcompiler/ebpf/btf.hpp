// BTF of a compiled module: types of functions, maps and data, and .BTF.ext, which maps instructions to functions and D
// lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dcompiler/ebpf/machine_code.hpp"
#include "dcompiler/ir/ir.hpp"

struct btf;

namespace dt::ebpf {

/// Code of a function with its position in a section; `offset` is in bytes.
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

/// Variable or map with its position in a data section or in .maps. `index` is its index in the module's list of data
/// or maps.
struct PlacedVariable {
    uint32_t index = 0;
    uint32_t offset = 0;
    uint32_t size = 0;
};

struct PlacedData {
    std::string name;
    std::vector<PlacedVariable> variables;
    uint32_t size = 0;

    /// Returns whether the variable is global. libbpf searches all symbols for each global variable, which is slow if
    /// there are fifty thousand. So only the first variable of a section is global; a section without a global variable
    /// cannot be mapped.
    bool is_global(const PlacedVariable& variable) const { return &variable == variables.data(); }
};

/// Returns the number of bytes that a map occupies in section .maps: libbpf reads a pointer for each member of the
/// map's definition.
uint32_t map_definition_size(const ir::Map& map);

/// Where the prototype of a bpf-runtime function comes from: the BTF that declares it, and the id of its FUNC type.
struct Prototype {
    const struct btf* btf = nullptr;
    uint32_t function = 0;
};

struct BtfInput {
    const ir::Module* module = nullptr;
    std::span<const PlacedSection> code; ///< code of the module, by section: .text and those of programs
    std::span<const PlacedData> data;
    const PlacedData* maps = nullptr;
    std::vector<std::string> runtime; ///< names of the functions that the module calls but does not define
    std::unordered_map<std::string, Prototype> prototypes;
};

struct BtfSections {
    std::vector<uint8_t> btf, ext;
};

Result<BtfSections> make_btf(const BtfInput& input);

/// For line information: file name of a source position, and beginning of its source line without blanks around it, as
/// the verifier's log shows it.
std::string file_of(const Span& at);
std::string line_text_of(const Span& at);

} // namespace dt::ebpf
