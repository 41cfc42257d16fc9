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

/// Variable with its position in a data section or in .maps; `index` is its index in the module's list of data or maps.
struct PlacedVariable {
    uint32_t index = 0;
    uint32_t offset = 0;
    uint32_t size = 0;
};

struct PlacedData {
    std::string name;
    std::vector<PlacedVariable> variables;
    uint32_t size = 0;

    /// Returns whether the variable is global. libbpf searches all symbols for each global variable, which is slow with
    /// fifty thousand variables. So only the first variable of a section is global; a section without a global variable
    /// cannot be mapped.
    bool is_global(const PlacedVariable& variable) const { return &variable == variables.data(); }
};

/// Returns the number of bytes that libbpf reads for a map in .maps: a pointer per member of its definition.
uint32_t map_definition_size(const ir::Map& map);

/// Origin of a runtime function's prototype: the BTF that declares it, and the id of its FUNC type.
struct Prototype {
    const struct btf* btf = nullptr;
    uint32_t function = 0;
};

struct BtfInput {
    const ir::Module* module = nullptr;
    std::span<const PlacedSection> code; ///< code of the module: the sections of programs, and .text
    std::span<const PlacedData> data;
    const PlacedData* maps = nullptr;
    std::vector<std::string> runtime; ///< names of the functions that the module calls but does not define
    std::unordered_map<std::string, Prototype> prototypes;
};

struct BtfSections {
    std::vector<uint8_t> btf, ext;
};

Result<BtfSections> make_btf(const BtfInput& input);

/// Two functions for line information: one returns the file name of a span. The other returns the start of the span's
/// source line without surrounding blanks, which the verifier's log shows.
std::string file_of(const Span& at);
std::string line_text_of(const Span& at);

} // namespace dt::ebpf
