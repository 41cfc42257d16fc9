// Reads and caches the function lists as lines of text. Traceable functions have tracefs's form, sorted; symbols have
// "NAME MODULE ADDRESS", sorted; refused functions have "ADDRESS".
#include "libdtrace/world/kernel_functions.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/text.hpp"

namespace dt {
namespace {

constexpr const char* kTraceable = "traceable";
constexpr const char* kSymbols = "symbols-by-name";
constexpr const char* kRefused = "refused";
constexpr std::size_t kFewNames = 1000; // at most this many names are searched faster than the whole list is read

void visit_line(std::string_view line, const KernelSymbols::VisitFunction& visit)
{
    const std::size_t module = line.find(' ') + 1, digits = line.find(' ', module) + 1;
    uint64_t address = 0;
    std::from_chars(line.data() + digits, line.data() + line.size(), address, 16);
    visit(line.substr(module, digits - 1 - module), line.substr(0, module - 1), address);
}

std::string symbol_line(std::string_view module, std::string_view name, uint64_t address)
{
    char digits[2 * sizeof address];
    char* const end = std::to_chars(digits, digits + sizeof digits, address, 16).ptr;
    return std::string(name).append(" ").append(module).append(" ").append(std::begin(digits), end);
}

/// Returns the offset of the first sorted line that is not less than the name.
std::size_t before_name(std::string_view text, std::string_view name)
{
    std::size_t low = 0, high = text.size(); // offsets of line starts
    while (low < high) {
        const std::size_t newline = text.rfind('\n', low + (high - low) / 2);
        const std::size_t line = newline == std::string_view::npos || newline < low ? low : newline + 1;
        if (text.substr(line, name.size()) < name)
            low = std::min(text.find('\n', line), text.size() - 1) + 1;
        else
            high = line;
    }
    return low;
}

/// Visits a name and its clones ("foo.isra.0"). In sorted lines clones follow closely, because few names contain a
/// character that sorts before the dot.
void visit_named(std::string_view text, std::string_view name, const KernelSymbols::VisitFunction& visit)
{
    for (text.remove_prefix(before_name(text, name)); text.starts_with(name);) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const char next = name.size() < line.size() ? line[name.size()] : '~';
        if (next > '.')
            return;
        if (next == ' ' || next == '.')
            visit_line(line, visit);
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
}

std::string joined_lines(std::vector<std::string> lines)
{
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines)
        text.append(line).append("\n");
    return text;
}

} // namespace

std::unique_ptr<TraceableFunctions> TraceableFunctions::read(const BootCache& cache,
                                                             const std::function<std::string()>& listed)
{
    if (auto kept = cache.read(kTraceable))
        return std::make_unique<TraceableFunctions>(std::move(*kept));
    auto made = std::make_unique<TraceableFunctions>(listed());
    if (!made->all().empty())
        cache.write(kTraceable, made->sorted_text());
    return made;
}

TraceableFunctions::TraceableFunctions(std::string text) : text_(std::move(text))
{
    for_each_line(text_, [this](std::string_view line) {
        const std::size_t blank = std::min(line.find(' '), line.size());
        const bool in_module = line.substr(blank).starts_with(" [") && line.ends_with("]");
        functions_.push_back({line.substr(0, blank), in_module ? line.substr(blank + 2, line.size() - blank - 3)
                                                               : std::string_view("vmlinux")});
    });
    const auto before = [](const auto& a, const auto& b) { return a.name < b.name; };
    if (!std::is_sorted(functions_.begin(), functions_.end(), before))
        std::sort(functions_.begin(), functions_.end(), before);
}

std::string TraceableFunctions::sorted_text() const
{
    std::string text;
    text.reserve(text_.size() + 1);
    for (const probes::KernelFunction& function : functions_) {
        text += function.name;
        if (function.module != "vmlinux")
            text.append(" [").append(function.module).append("]");
        text += '\n';
    }
    return text;
}

std::set<uint64_t>& RefusedFunctions::known()
{
    if (!known_) {
        known_.emplace();
        for_each_line(cache_.read(kRefused).value_or(""), [this](std::string_view line) {
            uint64_t address = 0;
            std::from_chars(line.data(), line.data() + line.size(), address, 16);
            known_->insert(address);
        });
    }
    return *known_;
}

bool RefusedFunctions::contains(uint64_t address)
{
    return known().count(address) != 0;
}

void RefusedFunctions::add(uint64_t address)
{
    changed_ |= known().insert(address).second;
}

void RefusedFunctions::keep()
{
    if (!changed_)
        return;
    std::string text;
    for (const uint64_t address : known()) {
        char digits[2 * sizeof address];
        text.append(digits, std::to_chars(digits, digits + sizeof digits, address, 16).ptr).append("\n");
    }
    cache_.write(kRefused, text);
}

void visit_function_symbols(const BootCache& cache, KernelSymbols& symbols, const KernelSymbols::VisitFunction& visit,
                            std::span<const std::string_view> names)
{
    if (const auto kept = cache.read(kSymbols)) {
        if (names.empty() || names.size() > kFewNames)
            for_each_line(*kept, [&](std::string_view line) { visit_line(line, visit); });
        else
            for (const std::string_view name : std::set(names.begin(), names.end()))
                visit_named(*kept, name, visit);
        return;
    }
    std::vector<std::string> lines;
    symbols.for_each_function([&](std::string_view module, std::string_view name, uint64_t address) {
        lines.push_back(symbol_line(module, name, address));
        visit(module, name, address);
    });
    if (!lines.empty())
        cache.write(kSymbols, joined_lines(std::move(lines)));
}

} // namespace dt
