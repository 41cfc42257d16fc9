// Compiled objects as files, for programs that run them without dtrace: with the library of engine/embed/ or with their
// own loaders.
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

/// Section with the description in JSON. Its member `version` is incremented when the meaning of existing content
/// changes.
inline constexpr std::string_view kSavedSection = ".dtrace";
inline constexpr int kSavedVersion = 1;

/// Returns the data that a reader needs besides the ELF file. The data describe programs with their probes and the
/// locations of arguments, layouts of records, the maps and sections of aggregations and variables, and offsets of
/// members in task_struct.
std::string describe_object(const Object& object, const Program& program, World& world);

/// Returns the object's ELF file with the description in section .dtrace.
Result<std::vector<uint8_t>> saved_object(const Object& object, const Program& program, World& world);

/// Position of a global variable in its data section, as the file's symbols give it.
struct DataPlace {
    std::string name, section;
    uint64_t offset = 0, size = 0;
};
std::vector<DataPlace> data_places(std::span<const uint8_t> elf);

/// Returns the file with an additional section, which is not loaded at run time. The section contains `text`.
Result<std::vector<uint8_t>> with_section(std::span<const uint8_t> elf, std::string_view name, std::string_view text);

} // namespace dt
