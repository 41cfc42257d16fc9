// Fuzz target: untrusted debug information. Reads types as the compiler and the printing of values do, and looks up the
// function and lines of an address.
//
// The input is a list of changes to a valid file. Its first byte chooses the section to change. Then come pairs of an
// offset and a new byte, then a pair of zeros, then bytes that are appended to the section.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "libdtrace/elf/source_lines.hpp"
#include "libdtrace/types/dwarf_types.hpp"
#include "test/support/dwarf_image.hpp"

namespace {

using dt::Type;
using dt::test::DwarfImage;

/// Visits all parts of a type, as the code that prints values does. Aborts if the type contains itself without end.
void walk(const Type* type, unsigned depth, unsigned& left)
{
    if (depth > 300)
        std::abort();
    if (left == 0)
        return;
    --left;
    if (to_string(type).size() > (std::size_t{1} << 20))
        std::abort();
    type = type->resolve();
    if (type->kind == dt::TypeKind::Array)
        walk(type->target, depth + 1, left);
    if (!type->is_record())
        return;
    if (type->definition)
        static_cast<void>(type->definition());
    for (const dt::Member& member : type->members()) {
        if (member.bit_offset + (member.bit_size ? member.bit_size : member.type->resolve()->size * 8) > type->size * 8)
            std::abort();
        walk(member.type, depth + 1, left);
    }
}

void look_at(const std::string& path)
{
    using enum dt::TypeNamespace;
    std::string problem;
    const auto types = dt::DwarfTypes::open(path, problem);
    if (!types)
        return;
    dt::TypeTable table;
    unsigned left = 10000;
    for (const dt::TypeNamespace space : {Struct, Union, Enum, Ordinary, Variable})
        for (const char* name : {"node", "node_t", "top", "colour", "int", "hidden"})
            if (const Type* type = types->find(table, space, name, ""))
                walk(type, 0, left);
    if (const auto function = types->function(table, DwarfImage::kCode))
        for (const auto& parameter : function->parameters)
            walk(parameter.type, 0, left);
    dt::SourceLines lines(path);
    for (const uint64_t address : {DwarfImage::kCode, DwarfImage::kCode + 8, DwarfImage::kCode + 0x80})
        static_cast<void>(lines.frames(address));
    static_cast<void>(dt::find_statements(path, path, {"*", "*", "*", true}));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    static const std::vector<uint8_t> kInfo = DwarfImage::sample().info(), kAbbreviations = DwarfImage::abbreviations();
    if (size == 0)
        return 0;
    std::vector<uint8_t> info = kInfo, abbreviations = kAbbreviations;
    std::vector<uint8_t>& bytes = data[0] & 1 ? info : abbreviations;
    std::size_t at = 1;
    for (; at + 1 < size && (data[at] != 0 || data[at + 1] != 0); at += 2)
        bytes[(data[at] + (data[0] & 2 ? 256 : 0)) % bytes.size()] = data[at + 1];
    if (at + 2 < size)
        bytes.insert(bytes.end(), data + at + 2, data + size);
    const std::vector<char> file = DwarfImage::file(info, abbreviations);
    const int memory = memfd_create("dwarf", MFD_CLOEXEC);
    if (memory >= 0 && write(memory, file.data(), file.size()) == static_cast<ssize_t>(file.size()))
        look_at("/proc/self/fd/" + std::to_string(memory));
    if (memory >= 0)
        close(memory);
    return 0;
}
