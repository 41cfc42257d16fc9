// Searches the scopes of debug information from the function inwards, as a debugger does.
#include "libdtrace/elf/dwarf_variables.hpp"

#include <dwarf.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace dt {
namespace {

constexpr unsigned kDeepestScopeOfVariables = 64;
constexpr uint64_t kMaxScopeEntries = 1 << 20, kMaxGlobalEntries = 1 << 24;
constexpr std::size_t kMaxVariables = 1024, kMaxRows = 1 << 14;

bool has_variables(int tag)
{
    return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
           tag == DW_TAG_catch_block;
}

uint64_t size_of(Dwarf_Die variable)
{
    auto type = dwarf_reference(variable, DW_AT_type);
    Dwarf_Die plain;
    Dwarf_Word size = 0;
    if (!type || dwarf_peel_type(&*type, &plain) != 0)
        return 0;
    const int tag = dwarf_tag(&plain);
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type)
        return dwarf_number(plain, DW_AT_byte_size).value_or(8);
    return dwarf_aggregate_size(&plain, &size) == 0 ? size : 0;
}

} // namespace

/// Adds the variables that are optimized away: the function's abstract description contains them, but this copy of the
/// function does not.
void DwarfVariables::add_undescribed(Dwarf_Die abstract, const std::set<const void*>& described,
                                     std::vector<Declared>& found, DwarfBudget& budget, unsigned depth)
{
    for_each_child(abstract, budget, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        if (described.contains(child.addr))
            return true;
        if (tag == DW_TAG_lexical_block && depth < kDeepestScopeOfVariables)
            add_undescribed(child, described, found, budget, depth + 1);
        const char* const name = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ? dwarf_name(child) : nullptr;
        std::string shown = printable_name(name ? name : "");
        if (name && found.size() < kMaxVariables &&
            std::none_of(found.begin(), found.end(), [&](const Declared& known) { return known.name == shown; }))
            found.push_back({std::move(shown), child, abstract});
        return true;
    });
}

/// Adds the variables of a scope, then the variables of the inner scope at the address. The variables of an inlined
/// function hide the variables of its caller.
void DwarfVariables::add_scope(Dwarf_Die scope, uint64_t address, std::vector<Declared>& found, DwarfBudget& budget,
                               unsigned depth)
{
    std::optional<Dwarf_Die> inside;
    std::set<const void*> described; // abstract entries to which entries of this scope refer
    if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
        found.clear();
    for_each_child(scope, budget, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        const char* const name = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ? dwarf_name(child) : nullptr;
        if (name && found.size() < kMaxVariables) {
            std::string shown = printable_name(name);
            std::erase_if(found, [&](const Declared& outer) { return outer.name == shown; });
            found.push_back({std::move(shown), child, scope});
        } else if (!inside && has_variables(tag) && dwarf_haspc(&child, address) > 0) {
            inside = child;
        }
        if (const auto origin = dwarf_reference(child, DW_AT_abstract_origin))
            described.insert(origin->addr);
        return true;
    });
    if (const auto origin = dwarf_reference(scope, DW_AT_abstract_origin))
        add_undescribed(*origin, described, found, budget, depth);
    if (inside && depth < kDeepestScopeOfVariables)
        add_scope(*inside, address, found, budget, depth + 1);
}

std::optional<Dwarf_Die> DwarfVariables::global(const Dwarf_Die& unit, const std::string& name)
{
    std::optional<Dwarf_Die> found;
    DwarfBudget budget(kMaxGlobalEntries);
    for_each_child(unit, budget, [&](Dwarf_Die& child) {
        const char* const each = dwarf_tag(&child) == DW_TAG_variable ? dwarf_name(child) : nullptr;
        if (each && name == each && !is_declaration(child))
            found = child;
        return !found;
    });
    return found ? found : names_.find(TypeNamespace::Variable, name);
}

/// Returns text about the line nearest to the position at which the variable can be read; empty if there is none.
std::string DwarfVariables::nearest_line(const CodePosition& position, const Declared& declared, uint64_t size,
                                         bool has_scope)
{
    Dwarf_Die function = position.function, scope = declared.scope, unit;
    Dwarf_Lines* table = nullptr;
    std::size_t count = 0;
    if (!dwarf_diecu(&function, &unit, nullptr, nullptr) || dwarf_getsrclines(&unit, &table, &count) != 0)
        return {};
    int here = 0;
    if (Dwarf_Line* const line = dwarf_getsrc_die(&unit, position.address))
        dwarf_lineno(line, &here);
    int nearest = 0;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < count && tried < kMaxRows; ++i) {
        Dwarf_Line* const row = dwarf_onesrcline(table, i);
        Dwarf_Addr address = 0;
        bool is_start = false, is_end = true;
        int line = 0;
        if (dwarf_lineendsequence(row, &is_end) != 0 || is_end || dwarf_linebeginstatement(row, &is_start) != 0 ||
            !is_start || dwarf_lineno(row, &line) != 0 || line <= 0 || dwarf_lineaddr(row, &address) != 0 ||
            dwarf_haspc(&function, address) <= 0 || (has_scope && dwarf_haspc(&scope, address) <= 0))
            continue;
        ++tried;
        if ((nearest == 0 || std::abs(line - here) < std::abs(nearest - here)) &&
            compile_location({position.machine, position.frames, function, address}, declared.die, size)
                .refusal.empty())
            nearest = line;
    }
    return nearest == 0 ? std::string() : std::to_string(nearest);
}

VisibleVariable DwarfVariables::compiled(const CodePosition& position, const Declared& declared, bool has_scope,
                                         bool wants_line)
{
    VisibleVariable made;
    made.name = declared.name;
    made.die = declared.die;
    made.is_parameter = dwarf_tag(&made.die) == DW_TAG_formal_parameter;
    if (is_declaration(made.die))
        if (const auto definition = names_.find(TypeNamespace::Variable, declared.name))
            made.die = *definition;
    const uint64_t size = size_of(made.die);
    CompiledLocation result = compile_location(position, made.die, size);
    made.location = std::move(result.location);
    made.refusal = std::move(result.refusal);
    if (made.refusal.empty() || !wants_line)
        return made;
    const std::string line = nearest_line(position, {declared.name, made.die, declared.scope}, size, has_scope);
    made.refusal += line.empty() ? "; it can be read at no line of the function"
                                 : "; the nearest line where it can be read is " + line;
    return made;
}

std::vector<VisibleVariable> DwarfVariables::find(uint64_t address, const std::string& name, std::string& problem)
{
    const auto function = file_.function(address);
    const auto unit = file_.unit(address);
    if (!function || !unit) {
        problem = "the debug information does not describe this code";
        return {};
    }
    std::vector<Declared> declared;
    DwarfBudget budget(kMaxScopeEntries);
    add_scope(*function, address, declared, budget, 0);
    const CodePosition position{machine::native(), frames_, *function, address};
    std::vector<VisibleVariable> found;
    for (const Declared& each : declared)
        if (name.empty() || each.name == name)
            found.push_back(compiled(position, each, true, !name.empty()));
    if (!found.empty() || name.empty())
        return found;
    if (const auto outside = global(*unit, name))
        found.push_back(compiled(position, {name, *outside, *outside}, false, true));
    return found;
}

} // namespace dt
