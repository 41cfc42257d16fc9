// The lists are kept as lines of text: as tracefs has them, but sorted; "ADDRESS NAME MODULE"; "ADDRESS".
#include "libdtrace/world/kernel_functions.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/text.hpp"

namespace dt {
namespace {

constexpr const char* kTraceable = "traceable";
constexpr const char* kSymbols = "symbols";
constexpr const char* kRefused = "refused";

void visit_lines(std::string_view text, const KernelSymbols::VisitFunction& visit)
{
    for_each_line(text, [&](std::string_view line) {
        uint64_t address = 0;
        std::from_chars(line.data(), line.data() + line.size(), address, 16);
        const std::size_t name = line.find(' ') + 1, module = line.rfind(' ') + 1;
        visit(line.substr(module), line.substr(name, module - 1 - name), address);
    });
}

void append_line(std::string& text, std::string_view module, std::string_view name, uint64_t address)
{
    char digits[2 * sizeof address];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, address, 16);
    text.append(digits, static_cast<std::size_t>(end - digits))
        .append(" ")
        .append(name)
        .append(" ")
        .append(module)
        .append("\n");
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

void visit_function_symbols(const BootCache& cache, KernelSymbols& symbols, const KernelSymbols::VisitFunction& visit)
{
    if (const auto kept = cache.read(kSymbols)) {
        visit_lines(*kept, visit);
        return;
    }
    std::string text;
    symbols.for_each_function([&](std::string_view module, std::string_view name, uint64_t address) {
        append_line(text, module, name, address);
        visit(module, name, address);
    });
    if (!text.empty())
        cache.write(kSymbols, text);
}

} // namespace dt
