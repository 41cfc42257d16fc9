// Maps addresses to source lines, and lines to addresses. The debug entry of an inlined function is nested in the entry
// of its caller, and records the line of the call. So the line of an address belongs to the innermost function, and
// each outer frame gets the line of its call.
#include "libdtrace/elf/source_lines.hpp"

#include <dwarf.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "libdtrace/elf/demangle.hpp"
#include "libdtrace/elf/function_pattern.hpp"

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

/// Returns the name of a function's symbol, or its name in the source if it has no symbol of its own; null if unknown.
const char* symbol_name(Dwarf_Die die)
{
    Dwarf_Attribute attribute;
    const char* const linkage =
        dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute) ? dwarf_formstring(&attribute) : nullptr;
    return linkage ? linkage : dwarf_name(die);
}

std::string function_name(Dwarf_Die die)
{
    const char* const name = symbol_name(die);
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

// The second part of this file finds the code addresses of source lines.

namespace {

using Pattern = probes::ProcessView::LinePattern;
using Statements = probes::ProcessView::Statements;

constexpr std::size_t kMaxStatements = 1 << 16;
constexpr uint64_t kMaxSearchedEntries = 1 << 24; ///< maximum number of debug entries read per search

std::string_view last_component(const char* path)
{
    const std::string_view text = path ? path : "";
    return text.substr(text.rfind('/') + 1);
}

class StatementSearch {
public:
    StatementSearch(DwarfFile& file, const Pattern& pattern)
        : file_(file), pattern_(pattern), function_(pattern.function.empty() ? "*" : pattern.function)
    {
    }

    Statements run()
    {
        for (const Dwarf_Die& unit : file_.units())
            search(unit);
        if (found_.size() == kMaxStatements) // fails instead of returning only some of the lines
            return {{},
                    "the description matches more than " + std::to_string(kMaxStatements) +
                        " code locations: name fewer lines"};
        Statements result{std::move(found_), {}};
        if (result.found.empty())
            result.problem = problem();
        return result;
    }

private:
    struct Row {
        uint64_t address = 0, line = 0;
        const char* path = nullptr;
        bool is_start = false; ///< whether the row marks the start of a statement
    };
    /// Identifies code that was already found. The first number is the address of the code if the line table's
    /// statement marks are used, else the address of the function's debug entry. The second number is the line.
    using KnownLine = std::pair<uint64_t, uint64_t>;

    void search(Dwarf_Die unit)
    {
        Dwarf_Lines* table = nullptr;
        std::size_t count = 0;
        if (!has_file(unit) || dwarf_getsrclines(&unit, &table, &count) != 0)
            return;
        std::vector<Row> rows(count);
        bool has_marks = false;
        for (std::size_t i = 0; i < count; ++i) {
            rows[i] = row_of(dwarf_onesrcline(table, i));
            has_marks |= rows[i].line != 0 && !rows[i].is_start;
        }
        const bool is_marked = has_marks && is_of_gcc(unit);
        seen_.clear();
        for (std::size_t i = 0; i < count && found_.size() < kMaxStatements; ++i) {
            const bool continues =
                i > 0 && rows[i - 1].line == rows[i].line && rows[i - 1].is_start && rows[i - 1].path == rows[i].path;
            if (rows[i].line != 0 && rows[i].is_start && is_meant(rows[i].path) && !(is_marked && continues))
                add(rows[i], is_marked);
        }
    }

    /// Returns a row of the line table; its line is 0 if the row ends a sequence or cannot be read.
    static Row row_of(Dwarf_Line* line)
    {
        Row row;
        int number = 0;
        bool is_end = true;
        if (dwarf_lineendsequence(line, &is_end) != 0 || is_end || dwarf_lineno(line, &number) != 0 || number <= 0 ||
            dwarf_lineaddr(line, &row.address) != 0 || dwarf_linebeginstatement(line, &row.is_start) != 0)
            return {};
        row.path = dwarf_linesrc(line, nullptr, nullptr);
        row.line = row.path ? static_cast<uint64_t>(number) : 0;
        return row;
    }

    static bool is_of_gcc(Dwarf_Die unit)
    {
        Dwarf_Attribute attribute;
        const char* const producer =
            dwarf_attr(&unit, DW_AT_producer, &attribute) ? dwarf_formstring(&attribute) : nullptr;
        return producer && std::string_view(producer).starts_with("GNU ");
    }

    bool is_meant(const char* path) const { return glob_match(pattern_.file, last_component(path)); }

    bool has_file(Dwarf_Die unit)
    {
        Dwarf_Files* files = nullptr;
        std::size_t count = 0;
        if (dwarf_getsrcfiles(&unit, &files, &count) != 0)
            return false;
        for (std::size_t i = 0; i < count; ++i)
            if (is_meant(dwarf_filesrc(files, i, nullptr, nullptr)))
                return has_file_ = true;
        return false;
    }

    /// Adds the code of a line-table row to the result if its line and function match the pattern.
    void add(const Row& row, bool is_marked)
    {
        lines_.insert(row.line);
        if (!pattern_.is_relative && !glob_match(pattern_.line, std::to_string(row.line)))
            return;
        const auto function = file_.function(row.address);
        if (!function)
            return;
        std::vector<Dwarf_Die> inlined;
        find_inlined(*function, row.address, inlined, budget_, 0);
        const Dwarf_Die innermost = inlined.empty() ? *function : inlined.back();
        const char* const name = symbol_name(innermost);
        if (!name || (!pattern_.function.empty() && !function_.matches(name)))
            return;
        has_function_ = true;
        if (pattern_.is_relative) {
            const uint64_t first = dwarf_number(innermost, DW_AT_decl_line).value_or(UINT64_MAX);
            if (row.line < first || !glob_match(pattern_.line, std::to_string(row.line - first)))
                return;
        }
        if (seen_.emplace(is_marked ? row.address : reinterpret_cast<uintptr_t>(innermost.addr), row.line).second)
            found_.push_back(
                {function_name(innermost), printable_name(last_component(row.path)), row.line, row.address});
    }

    /// Returns the reason why no code matches the pattern, as a part of an error message.
    std::string problem() const
    {
        if (!has_file_)
            return "its debug information has no source file '" + pattern_.file + "'";
        if (!pattern_.function.empty() && !has_function_)
            return "no code of " + pattern_.file + " is in a function '" + pattern_.function + "'";
        if (pattern_.is_relative)
            return "no code is " + pattern_.line + " lines after the line that declares the function";
        const uint64_t wanted = std::strtoull(pattern_.line.c_str(), nullptr, 10);
        const auto after = lines_.upper_bound(wanted);
        std::string near = after == lines_.begin() ? "" : std::to_string(*std::prev(after));
        if (after != lines_.end())
            near += (near.empty() ? "" : " and ") + std::to_string(*after);
        return "the line has no code" + (near.empty() ? "" : "; the nearest lines with code: " + near);
    }

    DwarfFile& file_;
    const Pattern& pattern_;
    FunctionPattern function_;
    DwarfBudget budget_{kMaxSearchedEntries};
    std::vector<probes::ProcessView::Statement> found_;
    std::set<KnownLine> seen_; ///< lines of the current compilation unit whose code is already in the result
    std::set<uint64_t> lines_; ///< lines that have code, in all files that the pattern names, for the error message
    bool has_file_ = false, has_function_ = false;
};

} // namespace

Statements find_statements(const std::string& path, const std::string& named, const Pattern& pattern)
{
    std::string problem;
    const std::unique_ptr<DwarfFile> file = DwarfFile::open(path, named, &problem);
    return file ? StatementSearch(*file, pattern).run() : Statements{{}, problem};
}

} // namespace dt
