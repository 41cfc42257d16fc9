// /proc/kallsyms: "address type name [module]" per line, unsorted, without sizes.
//
// A symbol ends where the next one begins. Addresses are all zero for readers without CAP_SYSLOG or with kernel.kptr_restrict=2
// (kernel/kallsyms.c), which is worth an error of its own: every address would otherwise get one wrong name.
#include "libdtrace/kallsyms.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace dt {
namespace {

/// Behind the last symbol of a region nothing bounds it; no real symbol is larger than this.
constexpr uint64_t kLargestSymbol = uint64_t{16} << 20;

int read_all(const char* path, std::vector<char>& text)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = 0;
    for (std::size_t size = 0;;) {
        text.resize(size + (std::size_t{1} << 20));
        const ssize_t got = read(fd, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR)
            continue;
        error = got < 0 ? errno : 0;
        size += got > 0 ? static_cast<std::size_t>(got) : 0;
        if (got <= 0) {
            text.resize(size);
            break;
        }
    }
    close(fd);
    return error;
}

/// Markers of the code generator and padding, never what a reader means.
bool is_noise(std::string_view name)
{
    return name.starts_with('$') || name.starts_with("__pfx_") || name.starts_with(".L");
}

} // namespace

uint32_t KernelSymbols::module_index(std::string_view name)
{
    // Lines of one module come together.
    if (modules_.back() == name)
        return static_cast<uint32_t>(modules_.size() - 1);
    const auto known = std::find(modules_.begin(), modules_.end(), name);
    if (known == modules_.end())
        modules_.push_back(name);
    return static_cast<uint32_t>(known == modules_.end() ? modules_.size() - 1 : known - modules_.begin());
}

/// False when the line carries no usable symbol.
bool KernelSymbols::add_line(std::string_view line)
{
    uint64_t address = 0;
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), address, 16);
    line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
    if (error != std::errc{} || line.size() < 4 || address == 0)
        return false;
    const char type = line[1];
    std::string_view name = line.substr(3);
    uint32_t module = 0;
    if (const auto tab = name.find('\t'); tab != std::string_view::npos) {
        std::string_view text = name.substr(tab + 1);
        name = name.substr(0, tab);
        if (text.size() > 2 && text.front() == '[')
            module = module_index(text.substr(1, text.find(']') - 1));
    }
    if (type == 'A' || type == 'a' || is_noise(name))
        return false;
    entries_.push_back({address, name, module, std::isupper(static_cast<unsigned char>(type)) ? 0u : 1u});
    return true;
}

void KernelSymbols::finish()
{
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return a.address != b.address ? a.address < b.address : a.rank < b.rank;
    });
    by_name_.reserve(entries_.size());
    for (uint32_t i = 0; i < entries_.size(); ++i)
        by_name_[entries_[i].name].push_back(i);
}

Result<KernelSymbols> KernelSymbols::load(const char* path)
{
    KernelSymbols symbols;
    if (const int error = read_all(path, symbols.text_))
        return Error{std::string("cannot read ") + path + ": " + std::strerror(error), error};
    std::string_view rest(symbols.text_.data(), symbols.text_.size());
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        symbols.add_line(line);
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    if (symbols.entries_.empty())
        return Error{"the kernel hides its addresses (CAP_SYSLOG is needed, and kernel.kptr_restrict below 2)", EPERM};
    symbols.finish();
    return symbols;
}

std::optional<KernelSymbols::Found> KernelSymbols::find(uint64_t address) const
{
    auto after = std::upper_bound(entries_.begin(), entries_.end(), address, [](uint64_t value, const Entry& entry) { return value < entry.address; });
    if (after == entries_.begin())
        return {};
    const uint64_t start = std::prev(after)->address;
    if (address - start >= kLargestSymbol)
        return {};
    const auto first = std::lower_bound(entries_.begin(), after, start, [](const Entry& entry, uint64_t value) { return entry.address < value; });
    return Found{modules_[first->module], first->name, address - start};
}

std::optional<KernelSymbols::Definition> KernelSymbols::lookup(std::string_view module, std::string_view name) const
{
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
        return {};
    const Entry* best = nullptr;
    for (const uint32_t index : found->second) {
        const Entry& entry = entries_[index];
        if ((module.empty() || modules_[entry.module] == module) && (!best || entry.module < best->module))
            best = &entry;
    }
    if (!best)
        return {};
    const auto next = std::upper_bound(entries_.begin(), entries_.end(), best->address, [](uint64_t value, const Entry& entry) { return value < entry.address; });
    const uint64_t size = next == entries_.end() ? 0 : next->address - best->address;
    return Definition{modules_[best->module], best->address, std::min(size, kLargestSymbol)};
}

} // namespace dt
