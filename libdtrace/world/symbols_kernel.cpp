#include "libdtrace/world/symbols_kernel.hpp"

#include <algorithm>
#include <charconv>

namespace dt {

namespace {

constexpr std::string_view kKernelImage = "vmlinux";

// Cuts the first blank-separated word off `line`.
std::string_view word(std::string_view& line)
{
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return line = {};
    line.remove_prefix(first);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view result = line.substr(0, end);
    line.remove_prefix(end);
    return result;
}

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMostProgram = 16 * kPage; // of eBPF, compiled

/// A symbol that stands for the end of a section of the kernel's image.
bool is_mark(std::string_view name)
{
    static constexpr std::string_view kMarks[] = {"_etext", "_einittext", "_edata", "_end", "__end_rodata", "__bss_stop", "__init_end"};
    return std::find(std::begin(kMarks), std::end(kMarks), name) != std::end(kMarks);
}

template <typename Handle>
void for_each_line(std::string_view text, Handle handle)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        handle(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

uint64_t number(std::string_view text, int base)
{
    if (text.starts_with("0x"))
        text.remove_prefix(2);
    uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return value;
}

} // namespace

uint16_t KernelSymbols::module_index(std::string_view name)
{
    const auto known = indices_.find(name);
    if (known != indices_.end())
        return known->second;
    const auto index = static_cast<uint16_t>(modules_.size());
    modules_.push_back({std::string(name.starts_with("__builtin") ? kKernelImage : name)});
    indices_.emplace(name, index);
    return index;
}

// ADDRESS TYPE NAME [MODULE]
void KernelSymbols::parse_line(std::string_view line)
{
    const std::string_view address = word(line);
    const std::string_view type = word(line);
    const std::string_view name = word(line);
    std::string_view module = word(line);
    // Absolute symbols are offsets into per-CPU areas, not addresses.
    if (name.empty() || type == "a" || type == "A")
        return;
    const uint64_t start = number(address, 16);
    if (start == 0)
        return;
    if (module.size() > 2 && module.front() == '[')
        module = module.substr(1, module.size() - 2);
    if (module.empty())
        module = kKernelImage;
    symbols_.push_back({start, static_cast<uint32_t>(name.data() - text_.data()), static_cast<uint16_t>(name.size()),
                        module_index(module)});
}

void KernelSymbols::load(std::string kallsyms, std::string_view modules)
{
    text_ = std::move(kallsyms);
    symbols_.reserve(text_.size() / 45);
    module_index(kKernelImage);
    for_each_line(text_, [this](std::string_view line) { parse_line(line); });
    std::stable_sort(symbols_.begin(), symbols_.end(),
                     [](const Symbol& a, const Symbol& b) { return a.start < b.start; });
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end(),
                               [](const Symbol& a, const Symbol& b) { return a.start == b.start; }),
                   symbols_.end());

    // NAME SIZE USERS BY STATE ADDRESS
    for_each_line(modules, [this](std::string_view line) {
        const std::string_view name = word(line);
        const uint64_t size = number(word(line), 10);
        for (int skipped = 0; skipped < 3; ++skipped)
            word(line);
        const uint64_t start = number(word(line), 16);
        if (name.empty() || start == 0)
            return;
        Module& module = modules_[module_index(name)];
        module.start = start;
        module.end = start + size;
    });
    for (const Symbol& symbol : symbols_) {
        Module& module = modules_[symbol.module];
        if (module.start == 0)
            module.start = symbol.start;
        if (symbol.module == 0 && std::string_view(text_).substr(symbol.name, symbol.length) == "_end")
            module.end = symbol.start + 1;
    }
}

/// kallsyms gives no sizes: a symbol reaches to the next one, but not out of its section or module. Where these end is known of modules,
/// and by marks in the kernel's image; code that was made at run time lies by itself, and so may the last symbol of all.
uint64_t KernelSymbols::end_of(std::size_t index) const
{
    const Symbol& symbol = symbols_[index];
    const Module& module = modules_[symbol.module];
    const uint64_t next = index + 1 < symbols_.size() ? symbols_[index + 1].start : UINT64_MAX;
    if (module.end > symbol.start)
        return std::min(next, is_mark(name_of(symbol)) ? symbol.start + 1 : module.end);
    if (symbol.module == 0)
        return index + 1 < symbols_.size() && symbols_[index + 1].module == 0 && !is_mark(name_of(symbol)) ? next : symbol.start + 1;
    return std::min(next, symbol.start / kPage * kPage + (module.name == "bpf" ? kMostProgram : kPage));
}

KernelSymbols::Found KernelSymbols::find(uint64_t address) const
{
    const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                        [](uint64_t value, const Symbol& symbol) { return value < symbol.start; });
    if (after != symbols_.begin()) {
        const auto symbol = after - 1;
        if (address < end_of(static_cast<std::size_t>(symbol - symbols_.begin())))
            return {modules_[symbol->module].name, name_of(*symbol), symbol->start};
    }
    for (const Module& module : modules_)
        if (address >= module.start && address < module.end)
            return {module.name, {}, module.start};
    return {};
}

uint64_t KernelSymbols::module_start(std::string_view module) const
{
    const auto known = indices_.find(module);
    return known == indices_.end() ? 0 : modules_[known->second].start;
}

} // namespace dt
