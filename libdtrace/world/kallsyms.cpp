// /proc/kallsyms: "address type name[<TAB>[module]]" per line, without sizes.
// The per-CPU variables are between __per_cpu_start and __per_cpu_end: on x86 before 6.15 from address 0 on and of type A, later like other data.
//
// A script names a few symbols, so the text is searched as it is; an index of every name would cost more than all look-ups together.
// Addresses are all zero for readers without CAP_SYSLOG or with kernel.kptr_restrict=2 (kernel/kallsyms.c), which is worth an error of its
// own: a symbol at address 0 would be read from there.
#include "libdtrace/world/kallsyms.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace dt {
namespace {

/// As nm(1) has it: t and T text, w and W weak symbols that are not data, i indirect functions.
bool is_code(char type)
{
    return std::string_view("tTwWi").find(type) != std::string_view::npos;
}

/// The line around `at`.
std::string_view line_at(std::string_view text, std::size_t at)
{
    const auto before = text.rfind('\n', at);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(start, text.find('\n', at) - start);
}

} // namespace

std::optional<SymbolNames::Line> SymbolNames::parse(std::string_view text)
{
    Line line;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), line.address, 16);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    if (error != std::errc{} || text.size() < 4)
        return {};
    line.type = text[1];
    text.remove_prefix(3);
    line.name = text.substr(0, text.find('\t'));
    text.remove_prefix(line.name.size());
    if (text.starts_with("\t[") && text.ends_with("]"))
        line.module = text.substr(2, text.size() - 3);
    return line;
}

Result<SymbolNames> SymbolNames::load(const char* path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return Error{std::string("cannot read ") + path + ": " + std::strerror(errno), errno};
    std::string text;
    std::size_t size = 0;
    for (ssize_t got = 1; got != 0;) {
        text.resize(size + (std::size_t{1} << 20));
        got = read(fd, text.data() + size, text.size() - size);
        if (got < 0 && errno != EINTR)
            break;
        size += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    close(fd);
    text.resize(size);
    const SymbolNames names(std::move(text));
    if (names.next_address(0) == 0)
        return Error{"the kernel hides its addresses (CAP_SYSLOG is needed, and kernel.kptr_restrict below 2)", EPERM};
    return names;
}

uint64_t SymbolNames::next_address(uint64_t address) const
{
    uint64_t next = 0;
    for (std::string_view rest = text_; !rest.empty();) {
        uint64_t candidate = 0;
        std::from_chars(rest.data(), rest.data() + rest.size(), candidate, 16);
        if (candidate > address && (next == 0 || candidate < next))
            next = candidate;
        rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    }
    return next;
}

std::optional<SymbolNames::Line> SymbolNames::find(std::string_view module, std::string_view name) const
{
    const std::string_view text = text_;
    const std::string needle = " " + std::string(name);
    std::optional<Line> best;
    for (auto at = text.find(needle); at != std::string_view::npos && !name.empty(); at = text.find(needle, at + 1)) {
        const auto line = parse(line_at(text, at));
        if (!line || line->name != name || (line->address == 0 && line->type != 'A') || (!module.empty() && line->module != module))
            continue;
        if (!best || (best->module != "vmlinux" && line->module == "vmlinux"))
            best = line;
    }
    return best;
}

std::optional<SymbolNames::Definition> SymbolNames::lookup(std::string_view module, std::string_view name) const
{
    const std::optional<Line> best = find(module, name);
    if (!best)
        return {};
    const uint64_t next = next_address(best->address);
    return Definition{std::string(best->module), best->address, next == 0 ? 0 : next - best->address, is_code(best->type)};
}

bool SymbolNames::is_per_cpu(uint64_t address)
{
    if (!per_cpu_) {
        const auto start = find("vmlinux", "__per_cpu_start"), end = find("vmlinux", "__per_cpu_end");
        per_cpu_ = start && end ? Range{start->address, end->address} : Range{};
    }
    return address >= per_cpu_->start && address < per_cpu_->end;
}

} // namespace dt
