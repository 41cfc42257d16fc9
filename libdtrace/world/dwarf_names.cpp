// Builds a name index by scanning the debug entries, because no standard index is written by every compiler. Function
// bodies are skipped: their declarations are not visible elsewhere.
#include "libdtrace/world/dwarf_names.hpp"

#include <dwarf.h>

namespace dt {
namespace {

constexpr unsigned kDeepestScope = 32;
constexpr std::size_t kMostOfAName = 64; ///< types with the same name in different namespaces

/// Returns whether the language puts types in namespaces and needs no `struct` before their names.
bool language_has_namespaces(int language)
{
    switch (language) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Go: // Go's names contain their package
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

/// Adds an entry, one per namespace: C++ units repeat the types of their headers.
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
    if (known.size() < kMostOfAName)
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
    static_cast<void>(qualified(declaration)); // reads the unit as a side effect
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
