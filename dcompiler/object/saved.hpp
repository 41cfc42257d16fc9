// A compiled object as a file of its own: for programs that run it elsewhere, in a process of their own (embed/) or by
// means of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "base/result.hpp"
#include "dcompiler/sema/program.hpp"

namespace dt {

/// Where the description lies. Its text is JSON; `version` in it grows when what was there before means something else.
inline constexpr std::string_view kSavedSection = ".dtrace";
inline constexpr int kSavedVersion = 1;

/// What a reader must know besides the ELF file: which program serves which probe and where that looks for the
/// arguments, what records hold, in which maps and sections aggregations and variables are, and where in a task the
/// compiled code finds what it asks for itself.
std::string describe_object(const Object& object, const Program& program, World& world);

/// The object with that description in it.
Result<std::vector<uint8_t>> saved_object(const Object& object, const Program& program, World& world);

/// A global's place in its data section, by the symbols of the file.
struct DataPlace {
    std::string name, section;
    uint64_t offset = 0, size = 0;
};
std::vector<DataPlace> data_places(std::span<const uint8_t> elf);

/// The file with one section more, which nothing is loaded from.
Result<std::vector<uint8_t>> with_section(std::span<const uint8_t> elf, std::string_view name, std::string_view text);

} // namespace dt
