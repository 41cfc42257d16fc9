// Maps addresses to source lines. The debug entry of an inlined function is nested in the entry of its caller, and
// records the line of the call. So the line of an address belongs to the innermost function, and each outer frame gets
// the line of its call.
#include "libdtrace/elf/source_lines.hpp"

#include <dwarf.h>

#include "libdtrace/elf/demangle.hpp"

namespace dt {
namespace {

constexpr unsigned kDeepestBlock = 64;            ///< maximum nesting depth of functions and blocks
constexpr uint64_t kMaxFunctionEntries = 1 << 20; ///< maximum number of debug entries read per function

/// Returns the path of a source file, relative to the compilation folder if it is below that folder.
std::string shown(const char* path, Dwarf_Die unit)
{
    Dwarf_Attribute attribute;
    const char* const folder = dwarf_attr(&unit, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : nullptr;
    std::string_view text = path;
    if (folder && text.starts_with(folder) && text.substr(std::string_view(folder).size()).starts_with('/'))
        text.remove_prefix(std::string_view(folder).size() + 1);
    return printable_name(text);
}

std::string place_of(const char* path, Dwarf_Die unit, uint64_t line)
{
    return path && line != 0 ? shown(path, unit) + ":" + std::to_string(line) : std::string();
}

std::string line_of(Dwarf_Die unit, uint64_t address)
{
    Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
    int number = 0;
    return line && dwarf_lineno(line, &number) == 0 && number > 0
               ? place_of(dwarf_linesrc(line, nullptr, nullptr), unit, static_cast<uint64_t>(number))
               : "";
}

std::string call_of(Dwarf_Die unit, Dwarf_Die inlined)
{
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    const auto file = dwarf_number(inlined, DW_AT_call_file), line = dwarf_number(inlined, DW_AT_call_line);
    if (!file || !line || dwarf_getsrcfiles(&unit, &files, &count) != 0 || *file >= count)
        return {};
    return place_of(dwarf_filesrc(files, *file, nullptr, nullptr), unit, *line);
}

std::string function_name(Dwarf_Die die)
{
    Dwarf_Attribute attribute;
    const char* const linkage =
        dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute) ? dwarf_formstring(&attribute) : nullptr;
    const char* const name = linkage ? linkage : dwarf_name(die);
    return name ? printable_name(demangled(name)) : std::string("(unknown)");
}

/// Finds the inlined functions at an address, the outermost first.
void find_inlined(Dwarf_Die around, uint64_t address, std::vector<Dwarf_Die>& found, DwarfBudget& budget,
                  unsigned depth)
{
    std::optional<Dwarf_Die> inside;
    for_each_child(around, budget, [&](Dwarf_Die& child) {
        const int tag = dwarf_tag(&child);
        const bool has_code = tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
                              tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
        if (has_code && dwarf_haspc(&child, address) > 0)
            inside = child;
        return !inside;
    });
    if (!inside || depth == kDeepestBlock)
        return;
    if (dwarf_tag(&*inside) == DW_TAG_inlined_subroutine)
        found.push_back(*inside);
    find_inlined(*inside, address, found, budget, depth + 1);
}

} // namespace

void SourceLines::read_lines(Dwarf_Die unit)
{
    const auto [known, is_new] = lines_.try_emplace(unit.addr, 0);
    if (!is_new)
        return;
    Dwarf_Lines* table = nullptr;
    if (dwarf_getsrclines(&unit, &table, &known->second) == 0)
        kept_ += known->second;
}

std::vector<SourceLines::Frame> SourceLines::frames(uint64_t address)
{
    if (kept_ > kMaxLines) { // if the cache has too many lines, all line tables are freed
        file_->forget();
        lines_.clear();
        kept_ = 0;
    }
    const auto unit = file_ ? file_->unit(address) : std::nullopt;
    if (!unit)
        return {{}};
    read_lines(*unit);
    std::vector<Dwarf_Die> inlined;
    DwarfBudget budget(kMaxFunctionEntries);
    if (const auto function = file_->function(address))
        find_inlined(*function, address, inlined, budget, 0);
    std::vector<Frame> frames;
    std::string place = line_of(*unit, address);
    for (auto each = inlined.rbegin(); each != inlined.rend(); ++each) {
        frames.push_back({function_name(*each), std::move(place)});
        place = call_of(*unit, *each);
    }
    frames.push_back({{}, std::move(place)});
    return frames;
}

std::string SourceLines::place(uint64_t address)
{
    return frames(address).front().place;
}

} // namespace dt
