// Finds the units and functions of code addresses in debug information. The second half of the file builds an index
// that finds types and variables by name.
//
// Not every compiler writes .debug_aranges, but the first entry of each unit contains the unit's code ranges. So the
// first entries of all units are read once. The functions of a unit are read at the first query of an address in it.
#include "libdtrace/elf/dwarf_file.hpp"

#include <dwarf.h>

#include <algorithm>
#include <utility>

#include "dcompiler/interface/render.hpp"

namespace dt {
namespace {

constexpr uint64_t kMaxDebugBytes = uint64_t{1} << 32; ///< limit of the unpacked size of debug information
constexpr std::size_t kMaxUnits = 1 << 20, kMaxRanges = 1 << 20;
/// Maximum number of debug entries that are read in a unit to find its functions.
constexpr uint64_t kMaxUnitEntries = 1 << 24;
constexpr unsigned kDeepestEntry = 32;

/// Returns the unpacked size of the .debug_* sections in bytes, or 0 if there is no .debug_info.
uint64_t debug_bytes(Elf* elf)
{
    std::size_t names = 0;
    uint64_t bytes = 0;
    bool has_information = false;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return 0;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        GElf_Chdr packed;
        const char* const name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : nullptr;
        const std::string_view text = name ? name : "";
        if (header.sh_type == SHT_NOBITS || (!text.starts_with(".debug_") && !text.starts_with(".zdebug_")))
            continue;
        has_information |= text.ends_with("debug_info");
        const uint64_t size =
            (header.sh_flags & SHF_COMPRESSED) && gelf_getchdr(section, &packed) ? packed.ch_size : header.sh_size;
        bytes = std::min(bytes + std::min(size, 2 * kMaxDebugBytes), 2 * kMaxDebugBytes);
    }
    return has_information ? std::max<uint64_t>(bytes, 1) : 0;
}

} // namespace

std::unique_ptr<DwarfFile> DwarfFile::open(const std::string& path, std::string* problem)
{
    return open(path, path, problem);
}

std::unique_ptr<DwarfFile> DwarfFile::open(const std::string& path, const std::string& named, std::string* problem)
{
    auto elf = std::make_unique<ElfFile>(path);
    if (elf->get() && debug_bytes(elf->get()) == 0)
        elf = open_debug_file(elf->get(), named);
    const uint64_t bytes = elf && elf->get() ? debug_bytes(elf->get()) : 0;
    if (bytes == 0)
        return nullptr;
    Dwarf* const dwarf = bytes <= kMaxDebugBytes ? dwarf_begin_elf(elf->get(), DWARF_C_READ, nullptr) : nullptr;
    if (!dwarf) {
        if (problem)
            *problem = bytes > kMaxDebugBytes ? "its debug information is too large"
                                              : std::string("its debug information is damaged: ") + dwarf_errmsg(-1);
        return nullptr;
    }
    std::unique_ptr<DwarfFile> made(new DwarfFile);
    made->file_ = std::move(elf);
    made->dwarf_ = dwarf;
    return made;
}

DwarfFile::~DwarfFile()
{
    dwarf_end(dwarf_);
}

void DwarfFile::forget()
{
    dwarf_end(dwarf_);
    dwarf_ = dwarf_begin_elf(file_->get(), DWARF_C_READ, nullptr);
    has_looked_ = false;
    units_.clear();
    unit_ranges_.clear();
    functions_.clear();
}

void DwarfFile::find_units(Dwarf* dwarf)
{
    Dwarf_CU* unit = nullptr;
    Dwarf_Half version = 0;
    uint8_t kind = 0;
    Dwarf_Die die, split;
    while (units_.size() < kMaxUnits && dwarf_get_units(dwarf, unit, &unit, &version, &kind, &die, &split) == 0) {
        const bool is_split = kind == DW_UT_skeleton && split.addr;
        units_.push_back(is_split ? split : die);
        if (kind == DW_UT_compile || kind == DW_UT_skeleton)
            add_ranges(die, units_.back(), unit_ranges_);
    }
}

void DwarfFile::add_ranges(Dwarf_Die code, Dwarf_Die die, Ranges& ranges)
{
    Dwarf_Addr base = 0, start = 0, end = 0;
    for (ptrdiff_t at = 0; ranges.size() < kMaxRanges && (at = dwarf_ranges(&code, at, &base, &start, &end)) > 0;)
        if (start < end)
            ranges.push_back({start, end, die});
}

const DwarfFile::Range* DwarfFile::at(const Ranges& ranges, uint64_t address)
{
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                        [](uint64_t value, const Range& range) { return value < range.start; });
    return after != ranges.begin() && address < (after - 1)->end ? &*(after - 1) : nullptr;
}

const std::vector<Dwarf_Die>& DwarfFile::units()
{
    if (!std::exchange(has_looked_, true) && dwarf_) {
        find_units(dwarf_);
        if (Dwarf* const shared = dwarf_getalt(dwarf_))
            find_units(shared);
        std::stable_sort(unit_ranges_.begin(), unit_ranges_.end(),
                         [](const Range& a, const Range& b) { return a.start < b.start; });
    }
    return units_;
}

std::optional<Dwarf_Die> DwarfFile::unit(uint64_t address)
{
    units();
    const Range* const found = at(unit_ranges_, address);
    return found ? std::optional(found->die) : std::nullopt;
}

/// Adds the functions below a debug entry to a list, searching at the top level, in namespaces and in types. Only some
/// languages put functions in types.
void DwarfFile::find_functions(Dwarf_Die around, Ranges& ranges, DwarfBudget& budget, unsigned depth)
{
    for_each_child(around, budget, [&](Dwarf_Die& child) {
        switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram:
            add_ranges(child, child, ranges);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
            if (depth < kDeepestEntry)
                find_functions(child, ranges, budget, depth + 1);
            break;
        default:
            break;
        }
        return true;
    });
}

const DwarfFile::Ranges& DwarfFile::functions_of(const Dwarf_Die& unit)
{
    const auto [entry, is_new] = functions_.try_emplace(unit.addr);
    if (is_new) {
        DwarfBudget budget(kMaxUnitEntries);
        find_functions(unit, entry->second, budget, 0);
        std::stable_sort(entry->second.begin(), entry->second.end(),
                         [](const Range& a, const Range& b) { return a.start < b.start; });
    }
    return entry->second;
}

std::optional<Dwarf_Die> DwarfFile::function(uint64_t address)
{
    const auto around = unit(address);
    const Range* const found = around ? at(functions_of(*around), address) : nullptr;
    return found ? std::optional(found->die) : std::nullopt;
}

std::string printable_name(std::string_view name)
{
    constexpr std::size_t kLongest = 4096;
    std::string text = printable(name.substr(0, kLongest));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, '?');
    return text;
}

const char* dwarf_name(Dwarf_Die die)
{
    Dwarf_Attribute found;
    return dwarf_attr_integrate(&die, DW_AT_name, &found) ? dwarf_formstring(&found) : nullptr;
}

std::optional<uint64_t> dwarf_number(Dwarf_Die die, unsigned attribute)
{
    Dwarf_Attribute found;
    Dwarf_Word number = 0;
    return dwarf_attr_integrate(&die, attribute, &found) && dwarf_formudata(&found, &number) == 0
               ? std::optional<uint64_t>(number)
               : std::nullopt;
}

std::optional<Dwarf_Die> dwarf_reference(Dwarf_Die die, unsigned attribute)
{
    Dwarf_Attribute found;
    Dwarf_Die other;
    return dwarf_attr_integrate(&die, attribute, &found) && dwarf_formref_die(&found, &other) ? std::optional(other)
                                                                                              : std::nullopt;
}

bool dwarf_flag(Dwarf_Die die, unsigned attribute)
{
    Dwarf_Attribute found;
    bool flag = false;
    return dwarf_attr_integrate(&die, attribute, &found) && dwarf_formflag(&found, &flag) == 0 && flag;
}

bool is_declaration(Dwarf_Die die)
{
    Dwarf_Attribute found;
    bool flag = false;
    return dwarf_attr(&die, DW_AT_declaration, &found) && dwarf_formflag(&found, &flag) == 0 && flag;
}

int dwarf_language(Dwarf_Die die)
{
    Dwarf_Die unit;
    if (!dwarf_diecu(&die, &unit, nullptr, nullptr))
        return 0;
    return std::max(dwarf_srclang(&unit), 0);
}

// Builds an index from names to types and variables by scanning the debug entries, because not all compilers write such
// an index. The scan skips function bodies, because declarations in a body are visible only there.

namespace {

constexpr unsigned kDeepestScope = 32;
/// maximum number of indexed entries with the same name (in different namespaces)
constexpr std::size_t kMaxOfAName = 64;

/// Returns whether the language puts types in namespaces and needs no `struct` before their names.
bool language_has_namespaces(int language)
{
    switch (language) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Go: // Go's type names include the name of their package, so no namespace is needed
        return false;
    default:
        return true;
    }
}

std::optional<TypeNamespace> space_of(int tag)
{
    switch (tag) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        return TypeNamespace::Struct;
    case DW_TAG_union_type:
        return TypeNamespace::Union;
    case DW_TAG_enumeration_type:
        return TypeNamespace::Enum;
    case DW_TAG_typedef:
    case DW_TAG_base_type:
        return TypeNamespace::Ordinary;
    default:
        return {};
    }
}

} // namespace

const std::string* DwarfNames::inner(const std::string* scope, const char* name)
{
    const auto [entry, is_new] = inner_.try_emplace({scope, name}, nullptr);
    if (is_new)
        entry->second = &scopes_.emplace_back((scope ? *scope : "") + name + "::");
    return entry->second;
}

/// Adds a debug entry to the index. The index contains only the first entry for each namespace and name, because every
/// C++ unit repeats the types of its headers.
void DwarfNames::add(TypeNamespace space, const char* name, const Entry& entry)
{
    std::vector<Entry>& known = entries_[space][name];
    for (Entry& other : known)
        if (other.scope == entry.scope) {
            if ((entry.is_definition && !other.is_definition) ||
                (entry.is_definition && other.is_local && !entry.is_local))
                other = entry;
            return;
        }
    if (known.size() < kMaxOfAName)
        known.push_back(entry);
}

void DwarfNames::add_variable(Dwarf_Die die, const std::string* scope)
{
    Dwarf_Attribute linkage;
    const char* const symbol = dwarf_attr_integrate(&die, DW_AT_linkage_name, &linkage) ||
                                       dwarf_attr_integrate(&die, DW_AT_MIPS_linkage_name, &linkage)
                                   ? dwarf_formstring(&linkage)
                                   : nullptr;
    const Entry entry{die, scope, !is_declaration(die), !dwarf_flag(die, DW_AT_external)};
    const char* const name = dwarf_name(die);
    for (const char* each : {name, symbol})
        if (each)
            add(TypeNamespace::Variable, each, entry);
}

void DwarfNames::read_entry(Dwarf_Die die, const std::string* scope, unsigned depth)
{
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_variable) {
        add_variable(die, scope);
        return;
    }
    const auto space = space_of(tag);
    const bool is_namespace = tag == DW_TAG_namespace || tag == DW_TAG_module;
    if (!space && !is_namespace)
        return;
    const char* name = dwarf_name(die);
    if (name && space) {
        const Entry entry{die, scope, !is_declaration(die), false};
        add(*space, name, entry);
        if (has_namespaces_ && *space != TypeNamespace::Ordinary)
            add(TypeNamespace::Ordinary, name, entry);
        if (scope)
            scope_of_[die.addr] = scope;
    }
    const bool has_names =
        is_namespace || (has_namespaces_ && (*space == TypeNamespace::Struct || *space == TypeNamespace::Union));
    if (has_names && (name || is_namespace))
        read_children(die, inner(scope, name ? name : "(anonymous namespace)"), depth + 1);
}

void DwarfNames::read_children(Dwarf_Die parent, const std::string* scope, unsigned depth)
{
    if (depth < kDeepestScope)
        for_each_child(parent, budget_, [&](Dwarf_Die& child) {
            read_entry(child, scope, depth);
            return true;
        });
}

void DwarfNames::read(Dwarf_Die unit)
{
    if (!read_.insert(unit.addr).second)
        return;
    has_namespaces_ = language_has_namespaces(dwarf_language(unit));
    read_children(unit, nullptr, 0);
}

template <typename Good>
std::optional<Dwarf_Die> DwarfNames::search(TypeNamespace space, std::string_view name, Good is_good)
{
    const std::vector<Dwarf_Die>& units = file_.units();
    for (;;) {
        const Entries& entries = entries_[space];
        const auto found = entries.find(name);
        if (found != entries.end())
            for (const Entry& entry : found->second)
                if (is_good(entry))
                    return entry.die;
        if (next_unit_ == units.size() || budget_.is_spent())
            return {};
        read(units[next_unit_++]);
    }
}

std::optional<Dwarf_Die> DwarfNames::find(TypeNamespace space, std::string_view name)
{
    if (const auto found =
            search(space, name, [](const Entry& entry) { return entry.is_definition && !entry.is_local; }))
        return found;
    if (const auto found = search(space, name, [](const Entry& entry) { return entry.is_definition; }))
        return found;
    return search(space, name, [](const Entry&) { return true; });
}

std::optional<Dwarf_Die> DwarfNames::definition(TypeNamespace space, const Dwarf_Die& declaration)
{
    const char* const name = dwarf_name(declaration);
    if (!name)
        return {};
    // called for its side effect: qualified() adds the types of the declaration's unit to scope_of_
    static_cast<void>(qualified(declaration));
    const auto known = scope_of_.find(declaration.addr);
    const std::string* const scope = known == scope_of_.end() ? nullptr : known->second;
    return search(space, name, [scope](const Entry& entry) { return entry.is_definition && entry.scope == scope; });
}

std::string DwarfNames::qualified(const Dwarf_Die& die)
{
    const char* const name = dwarf_name(die);
    if (!name)
        return {};
    Dwarf_Die unit, entry = die;
    if (dwarf_diecu(&entry, &unit, nullptr, nullptr) && language_has_namespaces(dwarf_language(unit)))
        read(unit);
    const auto scope = scope_of_.find(die.addr);
    return (scope == scope_of_.end() ? std::string() : *scope->second) + name;
}

} // namespace dt
