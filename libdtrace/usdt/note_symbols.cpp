// Resolves the variables. A symbol table lists the local symbols of each source file after a symbol of type STT_FILE,
// and all global symbols at the end (elf(5), "sh_info").
#include "libdtrace/usdt/note_symbols.hpp"

#include <dwarf.h>

#include <algorithm>

#include "libdtrace/elf/debug_files.hpp"

namespace dt::usdt {
namespace {

constexpr uint64_t kMostEntries = 1 << 22; ///< per unit
constexpr unsigned kDeepestEntry = 32;

/// Returns the address of a variable; nothing if it has no fixed address.
std::optional<uint64_t> address_of(Dwarf_Die variable)
{
    Dwarf_Attribute place, number;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    Dwarf_Addr address = 0;
    if (!dwarf_attr(&variable, DW_AT_location, &place) || dwarf_getlocation(&place, &operations, &count) != 0 ||
        count != 1)
        return {};
    if (operations->atom == DW_OP_addr)
        return operations->number;
    const bool is_indexed = operations->atom == DW_OP_addrx || operations->atom == DW_OP_GNU_addr_index;
    return is_indexed && dwarf_getlocation_attr(&place, operations, &number) == 0 &&
                   dwarf_formaddr(&number, &address) == 0
               ? std::optional<uint64_t>(address)
               : std::nullopt;
}

/// Calls visit(variable) for the variables of a unit, including those in functions and blocks.
template <typename Visit>
void for_each_variable(Dwarf_Die around, DwarfBudget& budget, unsigned depth, const Visit& visit)
{
    for_each_child(around, budget, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable)
            visit(child);
        else if (depth < kDeepestEntry && (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
                                           tag == DW_TAG_namespace || tag == DW_TAG_inlined_subroutine))
            for_each_variable(child, budget, depth + 1, visit);
        return true;
    });
}

bool has_name(Dwarf_Die variable, std::string_view wanted)
{
    Dwarf_Attribute found;
    const char* const linked =
        dwarf_attr_integrate(&variable, DW_AT_linkage_name, &found) ? dwarf_formstring(&found) : nullptr;
    const char* const name = linked ? linked : dwarf_name(variable);
    return name && name == wanted;
}

} // namespace

/// Calls visit(symbol, name, number of its file symbol) for defined symbols in the tables of the file and of its debug
/// file.
template <typename Visit> void NoteSymbols::for_each_definition(const Visit& visit)
{
    uint32_t files = kNoFile;
    const auto look = [&](Elf* elf) {
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
            GElf_Shdr header;
            if (!gelf_getshdr(section, &header) || header.sh_entsize == 0 ||
                (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
                continue;
            Elf_Data* const data = elf_getdata(section, nullptr);
            const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
            GElf_Sym symbol;
            uint32_t file = kNoFile;
            for (int i = 0; data && i < count && gelf_getsym(data, i, &symbol); ++i) {
                const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
                if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
                    file = ++files;
                else if (name && *name && symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0)
                    visit(symbol, std::string_view(name, strnlen(name, kLongestName)),
                          GELF_ST_BIND(symbol.st_info) == STB_LOCAL ? file : kGlobal);
            }
        }
    };
    if (!file_)
        file_ = std::make_unique<ElfFile>(path_);
    if (!file_->get())
        return;
    look(file_->get());
    visit_stripped_symbols(file_->get(), path_, look);
}

NoteSymbols::Found NoteSymbols::find(std::string_view name, uint64_t site)
{
    Definitions definitions;
    for_each_definition([&](const GElf_Sym& symbol, std::string_view text, uint32_t file) {
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        const bool is_known = std::any_of(definitions.begin(), definitions.end(),
                                          [&](const Definition& each) { return each.address == symbol.st_value; });
        if (type != STT_SECTION && type != STT_TLS && !is_known && without_version(text) == name)
            definitions.push_back({symbol.st_value, file});
    });
    if (definitions.empty())
        return {0, "there is no symbol " + std::string(name)};
    if (definitions.size() == 1)
        return {definitions.front().address};
    if (const auto address = by_debug_information(definitions, name, site))
        return {*address};
    if (const auto address = by_file_symbol(definitions, site))
        return {*address};
    return {0,
            std::to_string(definitions.size()) + " files of the program have a symbol " + std::string(name) +
                ", and nothing tells which of them the probe is in; debug information (-g) would",
            true};
}

std::optional<uint64_t> NoteSymbols::by_debug_information(const Definitions& definitions, std::string_view name,
                                                          uint64_t site)
{
    if (!debug_ && has_debug_)
        has_debug_ = (debug_ = DwarfFile::open(path_)) != nullptr;
    const std::optional<Dwarf_Die> unit = debug_ ? debug_->unit(site) : std::nullopt;
    if (!unit)
        return {};
    std::vector<uint64_t> found;
    bool is_declared = false;
    DwarfBudget budget(kMostEntries);
    for_each_variable(*unit, budget, 0, [&](Dwarf_Die variable) {
        const auto address = address_of(variable);
        is_declared |= !address && is_declaration(variable) && has_name(variable, name);
        if (address && std::any_of(definitions.begin(), definitions.end(),
                                   [&](const Definition& each) { return each.address == *address; }))
            found.push_back(*address);
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    const auto global = std::find_if(definitions.begin(), definitions.end(),
                                     [](const Definition& each) { return each.file == kGlobal; });
    if (found.empty() && is_declared && global != definitions.end())
        return global->address;
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// Chooses the definition with the file symbol of the code's function. Stripping debug information may also remove file
/// symbols. A global function has none, and its neighbours do not help, because linkers do not order functions only by
/// file.
std::optional<uint64_t> NoteSymbols::by_file_symbol(const Definitions& definitions, uint64_t site)
{
    std::optional<uint32_t> file;
    for_each_definition([&](const GElf_Sym& symbol, std::string_view, uint32_t number) {
        if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && site - symbol.st_value < symbol.st_size && !file)
            file = number;
    });
    if (!file || *file == kGlobal || *file == kNoFile)
        return {};
    std::optional<uint64_t> own, global;
    for (const Definition& each : definitions)
        if (each.file == *file || each.file == kGlobal)
            (each.file == *file ? own : global) = each.address;
    return own ? own : global;
}

} // namespace dt::usdt
