// Compiled objects as files, for programs that run them without the dtrace command: with the library in engine/embed/,
// or with a loader of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/sema/program/program.hpp"

namespace dt {

/// Section with the description in JSON. Its member `version` is incremented when something that it already contained
/// gets a new meaning.
inline constexpr std::string_view kSavedSection = ".dtrace";
inline constexpr int kSavedVersion = 1;

/// Returns the JSON text that a reader needs besides the ELF file. It describes programs (their probes and the
/// locations of arguments), records, the maps and sections of aggregations and variables, and offsets of members of
/// task_struct.
std::string describe_object(const Object& object, const Program& program, World& world);

/// Returns the object's ELF file with the description in section .dtrace.
Result<std::vector<uint8_t>> saved_object(const Object& object, const Program& program, World& world);

/// Position of a global variable in its data section, read from the file's symbols.
struct DataPlace {
    std::string name, section;
    uint64_t offset = 0, size = 0;
};
std::vector<DataPlace> data_places(std::span<const uint8_t> elf);

/// Returns the file with an additional section that contains `text`. Loaders of the file ignore the section.
Result<std::vector<uint8_t>> with_section(std::span<const uint8_t> elf, std::string_view name, std::string_view text);

} // namespace dt
