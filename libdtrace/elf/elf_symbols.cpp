// Reads ELF symbol tables and /proc/PID/maps into sorted tables for lookups by address, which contain one symbol per
// address. Omits imported symbols and symbols without an address. Also reads the function table of Go programs.
#include "libdtrace/elf/elf_symbols.hpp"

#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "libdtrace/elf/elf_file.hpp"

namespace dt {

namespace {

bool is_code_or_data(const GElf_Sym& symbol)
{
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
           (type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC);
}

uint64_t number(std::string_view text, int base)
{
    uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return value;
}

} // namespace

ElfSymbols::ElfSymbols(const std::string& path, const std::string& named)
{
    const ElfFile file(path);
    Elf* elf = file.get();
    found_ = elf != nullptr;
    if (!found_)
        return;
    is_32bit_ = gelf_getclass(elf) == ELFCLASS32;
    is_go_ =
        find_section(elf, ".go.buildinfo") || find_section(elf, ".note.go.buildid") || find_section(elf, ".gopclntab");
    std::size_t headers = 0;
    elf_getphdrnum(elf, &headers);
    for (std::size_t i = 0; i < headers; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) && header.p_type == PT_LOAD)
            segments_.push_back(
                {header.p_offset, header.p_filesz, header.p_vaddr, (header.p_flags & PF_X) != 0 ? 1U : 0U});
    }

    take(elf);
    visit_stripped_symbols(elf, named, [&](Elf* stripped) { take(stripped); });
    constexpr std::string_view kOfEachGoProgram = "runtime.main";
    if (is_go_ && !find_name(kOfEachGoProgram))
        take(elf, true);
}

/// Adds the symbols of a file. The names of `candidates` are views of the file's data; symbols in the table own copies
/// of their names. All names in the table together are limited to twice the file's size; further symbols are dropped.
void ElfSymbols::take(Elf* elf, bool from_go_table)
{
    std::vector<Candidate> candidates;
    std::deque<std::string> longer;
    for (const auto* const table : {&symbols_, &aliases_})
        for (const Symbol& known : *table)
            candidates.push_back(
                {known.start, known.size, known.name, known.binding, known.is_function, known.is_ifunc});
    for (const GoFunction& function : from_go_table ? read_go_functions(elf) : std::vector<GoFunction>()) {
        std::string_view name = function.name;
        if (function.is_abi0)
            name = longer.emplace_back(std::string(name) + ".abi0");
        // Functions from Go's table rank like local symbols, whose rank is 2.
        candidates.push_back({function.start, function.size, name, 2, true, false});
    }
    const auto take_symbol = [&](const GElf_Sym& symbol, std::string_view name) {
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        if (is_code_or_data(symbol))
            candidates.push_back({symbol.st_value, symbol.st_size, without_version(name), rank_of_binding(symbol),
                                  type != STT_OBJECT, type == STT_GNU_IFUNC});
    };
    if (!from_go_table)
        for_each_symbol(elf, take_symbol);
    std::size_t bytes = 0;
    elf_rawfile(elf, &bytes);
    most_names_ += 2 * bytes;
    keep_best(candidates);
}

void ElfSymbols::keep_best(std::vector<Candidate>& candidates)
{
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.start != b.start ? a.start < b.start : is_better_name(a.name, a.binding, b.name, b.binding);
    });
    std::vector<Symbol> kept, others;
    std::size_t left = most_names_;
    for (const Candidate& candidate : candidates) {
        const bool is_alias = !kept.empty() && kept.back().start == candidate.start;
        if (is_alias) {
            kept.back().size = std::max(kept.back().size, candidate.size);
            const Symbol& before =
                others.empty() || others.back().start != candidate.start ? kept.back() : others.back();
            if (kept.back().name == candidate.name || before.name == candidate.name)
                continue;
        }
        if (candidate.name.size() > left)
            continue;
        left -= candidate.name.size();
        (is_alias ? others : kept)
            .push_back({candidate.start, candidate.size, std::string(candidate.name), candidate.is_function,
                        candidate.is_ifunc, candidate.binding});
    }
    for (std::size_t i = 0, canonical = 0; i < others.size(); ++i) {
        while (kept[canonical].start != others[i].start)
            ++canonical;
        others[i].size = kept[canonical].size;
    }
    symbols_ = std::move(kept);
    aliases_ = std::move(others);
    bytes_ = (symbols_.capacity() + aliases_.capacity()) * sizeof(Symbol) + most_names_ - left;
}

uint64_t ElfSymbols::address_of_offset(uint64_t offset) const
{
    for (const Segment& segment : segments_)
        if (offset >= segment.offset && offset - segment.offset < segment.size)
            return offset - segment.offset + segment.address;
    return offset;
}

std::optional<uint64_t> ElfSymbols::code_offset(uint64_t address) const
{
    for (const Segment& segment : segments_)
        if (segment.is_code && address >= segment.address && address - segment.address < segment.size)
            return address - segment.address + segment.offset;
    return {};
}

void ElfSymbols::pack()
{
    for (const Symbol& symbol : symbols_)
        packed_.add({symbol.start, 0, symbol.name, symbol.size});
    packed_.finish();
    std::exchange(symbols_, {});
    std::exchange(aliases_, {});
    bytes_ = packed_.memory();
}

void ElfSymbols::rest()
{
    packed_.forget_unpacked();
    unpacked_.clear();
}

/// Finds a symbol in the packed table and caches it. The cache is useful because the same function is looked up again
/// for each process that maps the file at another address.
const ElfSymbols::Symbol* ElfSymbols::find_packed(uint64_t address) const
{
    constexpr std::size_t kMaxUnpacked = 128;
    const auto behind = unpacked_.upper_bound(address);
    if (behind != unpacked_.begin() && address < std::prev(behind)->second.end)
        return &std::prev(behind)->second.symbol;
    const std::size_t block = packed_.block_of(address);
    if (block == PackedSymbols::kNone)
        return nullptr;
    const std::vector<PackedSymbols::Symbol>& symbols = packed_.unpack(block);
    const auto after =
        std::upper_bound(symbols.begin(), symbols.end(), address,
                         [](uint64_t value, const PackedSymbols::Symbol& symbol) { return value < symbol.start; });
    if (after == symbols.begin())
        return nullptr;
    const PackedSymbols::Symbol& symbol = *(after - 1);
    if (symbol.size != 0 && address - symbol.start >= symbol.size)
        return nullptr;
    if (unpacked_.size() == kMaxUnpacked)
        unpacked_.clear();
    Found& found = unpacked_[symbol.start];
    found.symbol.start = symbol.start;
    found.symbol.size = symbol.size;
    found.symbol.name = symbol.name;
    const uint64_t next = after == symbols.end() ? UINT64_MAX : after->start;
    found.end = symbol.size == 0 ? next : std::min(next, symbol.start + symbol.size);
    return &found.symbol;
}

const ElfSymbols::Symbol* ElfSymbols::find(uint64_t address) const
{
    if (is_packed())
        return find_packed(address);
    const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                        [](uint64_t value, const Symbol& symbol) { return value < symbol.start; });
    if (after == symbols_.begin())
        return nullptr;
    const Symbol& symbol = *(after - 1);
    // A symbol of size 0, such as a function in hand-written assembly, ends where the next symbol begins.
    if (symbol.size == 0 || address - symbol.start < symbol.size)
        return &symbol;
    return nullptr;
}

const ElfSymbols::Symbol* ElfSymbols::find_name(std::string_view name) const
{
    for (const auto* const table : {&symbols_, &aliases_})
        for (const Symbol& symbol : *table)
            if (symbol.name == name)
                return &symbol;
    return nullptr;
}

// Parses lines of the form START-END PERMISSIONS OFFSET DEVICE INODE PATH.
std::vector<Mapping> parse_maps(std::string_view text)
{
    std::vector<Mapping> mappings;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));

        std::string_view fields[5];
        for (std::string_view& field : fields) {
            const std::size_t blank = std::min(line.find(' '), line.size());
            field = line.substr(0, blank);
            line.remove_prefix(std::min(blank + 1, line.size()));
        }
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        Mapping mapping;
        constexpr std::string_view kDeleted = " (deleted)";
        mapping.deleted = line.ends_with(kDeleted);
        if (mapping.deleted)
            line.remove_suffix(kDeleted.size());
        const std::size_t dash = fields[0].find('-');
        if (line.empty() || dash == std::string_view::npos)
            continue;
        mapping.start = number(fields[0].substr(0, dash), 16);
        mapping.end = number(fields[0].substr(dash + 1), 16);
        mapping.is_code = fields[1].find('x') != std::string_view::npos;
        mapping.offset = number(fields[2], 16);
        mapping.inode = number(fields[4], 10);
        mapping.path = line;
        mappings.push_back(std::move(mapping));
    }
    return mappings;
}

Mapping* find_mapping(std::vector<Mapping>& mappings, uint64_t address)
{
    const auto after = std::upper_bound(mappings.begin(), mappings.end(), address,
                                        [](uint64_t value, const Mapping& mapping) { return value < mapping.start; });
    if (after == mappings.begin())
        return nullptr;
    Mapping& mapping = *(after - 1);
    return address < mapping.end ? &mapping : nullptr;
}

// Reads .gopclntab, the function table of Go (src/runtime/symtab.go, "pcHeader", "functab", "_func"). The table's
// header contains the offsets of three parts. These are the list of functions, the descriptions of functions, and the
// names. An element of the list contains the function's start and the offset of its description.

namespace {

using Bytes = std::span<const uint8_t>;

// Only the end of a section's name is compared with this string, because section names have a prefix in
// position-independent programs.
constexpr std::string_view kSection = ".gopclntab";
constexpr uint32_t kVersion16 = 0xfffffffa, kVersion18 = 0xfffffff0, kVersion20 = 0xfffffff1;
/// Size in bytes of the header's fixed part: version, two zero bytes, and two bytes for the sizes of an instruction and
/// of an address.
constexpr uint64_t kStart = 8;
constexpr uint8_t kAssembly = 4; ///< flag of a function that is written in assembly

/// Reads an integer of `size` bytes at offset `at`. Returns nothing if it extends beyond the end of the table.
std::optional<uint64_t> number_at(Bytes bytes, uint64_t at, std::size_t size)
{
    uint64_t value = 0;
    if (at > bytes.size() || bytes.size() - at < size)
        return {};
    // Copies the low-order bytes, because all supported machines are little-endian.
    std::memcpy(&value, bytes.data() + at, size);
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
    uint64_t functions = 0; ///< number of functions in Go's table
    uint64_t text = 0;      ///< base address, to which the start of each function is relative
    /// `names` contains the names of the functions. `places` contains the list of functions (start, offset of the
    /// description) and the descriptions; the offsets are relative to the start of `places`.
    Bytes names, places;
    std::size_t place = 0;           ///< size of an integer in the list of functions, in bytes
    std::size_t name = 0, flags = 0; ///< offsets of the name and of the flags within a description
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
    // Index of the header word that contains the offset of the names. The index is one less for Go 1.16: its header has
    // no word for the base address, because its addresses are absolute.
    const std::size_t next = is_old ? 2 : 3;
    const uint64_t text = is_old ? 0 : in_header(2).value_or(0);
    layout.text = is_old ? 0 : text != 0 ? text : code;
    layout.names = part_at(table, in_header(next));
    layout.places = part_at(table, in_header(next + 4));
    layout.place = is_old ? word : 4;
    layout.name = layout.place;
    layout.flags = is_old ? word + 33 : version == kVersion18 ? 37 : 41;
    return layout.functions <= layout.places.size() / (2 * layout.place) ? std::optional(layout) : std::nullopt;
}

/// Marks functions with Go's stack-based calling convention (ABI0), as the linker's symbol tables do. These are
/// assembly functions with a wrapper of the same name, which Go code calls.
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
