// Reads .gopclntab (Go's src/runtime/symtab.go, "pcHeader", "functab", "_func"). A header has the offsets of its parts:
// the start and description of each function, the descriptions, and the names.
#include "libdtrace/elf/go_functions.hpp"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "libdtrace/elf/elf_file.hpp"

namespace dt {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr std::string_view kSection = ".gopclntab"; // has a prefix in a position-independent program
constexpr uint32_t kVersion16 = 0xfffffffa, kVersion18 = 0xfffffff0, kVersion20 = 0xfffffff1;
constexpr uint64_t kStart =
    8; ///< size of the header's first part: version, two zeros, and the sizes of an instruction and of an address
constexpr uint8_t kAssembly = 4; ///< a function's flag for assembly code

/// Reads a number of `size` bytes. Returns nothing beyond the end.
std::optional<uint64_t> number_at(Bytes bytes, uint64_t at, std::size_t size)
{
    uint64_t value = 0;
    if (at > bytes.size() || bytes.size() - at < size)
        return {};
    std::memcpy(&value, bytes.data() + at, size); // all supported machines are little-endian
    return value;
}

Bytes part_at(Bytes bytes, std::optional<uint64_t> at)
{
    return at && *at <= bytes.size() ? bytes.subspan(*at) : Bytes();
}

std::string_view name_at(Bytes names, uint64_t at)
{
    const Bytes text = part_at(names, at).first(std::min(part_at(names, at).size(), kLongestName));
    const auto end = std::find(text.begin(), text.end(), uint8_t{0});
    return end == text.end() ? std::string_view()
                             : std::string_view(reinterpret_cast<const char*>(text.data()),
                                                static_cast<std::size_t>(end - text.begin()));
}

struct Layout {
    uint64_t functions = 0; ///< number of functions
    uint64_t text = 0;      ///< base address of the functions
    Bytes names, places;    ///< names; start and description of each function; descriptions are relative to `places`
    std::size_t place = 0;  ///< bytes per number in `places`
    std::size_t name = 0, flags = 0; ///< offsets of the name and the flags within a description
};

std::optional<Layout> read_layout(Bytes table, uint64_t code, std::size_t word)
{
    const uint64_t version = number_at(table, 0, 4).value_or(0);
    const bool is_old = version == kVersion16;
    if ((!is_old && version != kVersion18 && version != kVersion20) || number_at(table, 7, 1) != word)
        return {};
    const auto in_header = [&](std::size_t i) { return number_at(table, kStart + i * word, word); };
    Layout layout;
    layout.functions = in_header(0).value_or(0);
    const std::size_t next = is_old ? 2 : 3; // Go 1.16 has absolute addresses and no base
    const uint64_t text = is_old ? 0 : in_header(2).value_or(0);
    layout.text = is_old ? 0 : text != 0 ? text : code;
    layout.names = part_at(table, in_header(next));
    layout.places = part_at(table, in_header(next + 4));
    layout.place = is_old ? word : 4;
    layout.name = layout.place;
    layout.flags = is_old ? word + 33 : version == kVersion18 ? 37 : 41;
    return layout.functions <= layout.places.size() / (2 * layout.place) ? std::optional(layout) : std::nullopt;
}

/// Marks ABI0 functions as the linker's symbol tables do. An assembly function that takes arguments from the stack has
/// a wrapper with its name, which Go code calls.
void mark_abi0(std::vector<GoFunction>& functions, const std::vector<bool>& is_assembly)
{
    std::unordered_map<std::string_view, bool> wrapped;
    for (std::size_t i = 0; i < functions.size(); ++i)
        if (!is_assembly[i])
            wrapped.emplace(functions[i].name, true);
    for (std::size_t i = 0; i < functions.size(); ++i)
        functions[i].is_abi0 = is_assembly[i] && wrapped.contains(functions[i].name);
}

} // namespace

std::vector<GoFunction> read_go_functions(std::span<const uint8_t> table, uint64_t code, std::size_t word)
{
    const std::optional<Layout> layout = read_layout(table, code, word);
    std::vector<GoFunction> functions;
    std::vector<bool> is_assembly;
    if (!layout)
        return functions;
    for (uint64_t i = 0; i < layout->functions; ++i) {
        const auto number = [&](uint64_t which) {
            return number_at(layout->places, (2 * i + which) * layout->place, layout->place);
        };
        const auto begin = number(0), description = number(1), end = number(2);
        if (!begin || !description || !end || *end < *begin)
            break;
        const Bytes described = part_at(layout->places, *description);
        const auto name = number_at(described, layout->name, 4);
        const std::string_view text = name ? name_at(layout->names, *name) : std::string_view();
        if (text.empty() || *end == *begin)
            continue;
        functions.push_back({layout->text + *begin, *end - *begin, text});
        is_assembly.push_back((number_at(described, layout->flags, 1).value_or(0) & kAssembly) != 0);
    }
    mark_abi0(functions, is_assembly);
    return functions;
}

std::vector<GoFunction> read_go_functions(Elf* elf)
{
    std::size_t names = 0;
    GElf_Ehdr file;
    if (!gelf_getehdr(elf, &file) || file.e_ident[EI_DATA] != ELFDATA2LSB || elf_getshdrstrndx(elf, &names) != 0)
        return {};
    Bytes table;
    uint64_t code = 0;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char* const name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : nullptr;
        if (!name || header.sh_type == SHT_NOBITS || (header.sh_flags & SHF_COMPRESSED))
            continue;
        if (std::string_view(name) == ".text")
            code = header.sh_addr;
        if (const Elf_Data* const data =
                std::string_view(name).ends_with(kSection) ? elf_rawdata(section, nullptr) : nullptr;
            data && data->d_buf)
            table = {static_cast<const uint8_t*>(data->d_buf), data->d_size};
    }
    return read_go_functions(table, code, file.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8);
}

} // namespace dt
