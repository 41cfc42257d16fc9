// Reads and caches the function lists as lines of text, and searches the machine code of kernel functions. The lists of
// traceable functions (in the form of tracefs) and of symbols ("NAME MODULE ADDRESS") are sorted. The list of functions
// that the kernel refuses to probe contains only addresses.
#include "libdtrace/kernel/kernel_functions.hpp"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/text.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

constexpr const char* kTraceable = "traceable";
constexpr const char* kSymbols = "symbols-by-name";
constexpr const char* kRefused = "refused";
// If at most this number of functions is requested, each one is searched for in the list; otherwise the whole list is
// read.
constexpr std::size_t kFewNames = 1000;

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

/// Returns the offset of the first line that is not less than the name. The lines of `text` are sorted.
std::size_t before_name(std::string_view text, std::string_view name)
{
    std::size_t low = 0, high = text.size(); // both bounds of the search are always offsets at which a line starts
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

/// Visits the lines of a function and of its clones ("foo.isra.0"), which follow it in the sorted list. Lines of other
/// functions can lie in between only if their names continue with a character that sorts before the dot.
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

std::unique_ptr<TraceableFunctions> TraceableFunctions::read(const KernelCache& cache,
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

void visit_function_symbols(const KernelCache& cache, KernelSymbols& symbols, const KernelSymbols::VisitFunction& visit,
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

namespace {

/// Maximum length of a function in bytes. If the next symbol is farther away, the bytes in between contain other code
/// too.
constexpr std::size_t kLongestFunction = 256 << 10;

/// Reads kernel memory by address, from /proc/kcore.
class KernelMemory {
public:
    /// Opens /proc/kcore. On failure the error contains errno.
    static Result<KernelMemory> open(const std::string& path)
    {
        KernelMemory memory(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        Elf64_Ehdr header{};
        if (!memory.file_)
            return Error{std::strerror(errno), errno};
        if (!memory.read_file(&header, sizeof header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
            header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
            return Error{"it is not a 64-bit core file", EINVAL};
        memory.parts_.resize(header.e_phnum);
        if (!memory.read_file(memory.parts_.data(), memory.parts_.size() * sizeof(Elf64_Phdr), header.e_phoff))
            return Error{"it is truncated", EINVAL};
        return memory;
    }

    /// Reads kernel memory from `address` on into `to`. Returns the bytes that were read, which may be fewer than
    /// requested.
    std::span<const uint8_t> read(uint64_t address, std::span<uint8_t> to) const
    {
        const auto part = std::find_if(parts_.begin(), parts_.end(), [address](const Elf64_Phdr& each) {
            return each.p_type == PT_LOAD && address >= each.p_vaddr && address - each.p_vaddr < each.p_filesz;
        });
        if (part == parts_.end())
            return {};
        const uint64_t from = address - part->p_vaddr;
        const std::size_t size = std::min<uint64_t>(to.size(), part->p_filesz - from);
        return read_file(to.data(), size, part->p_offset + from) ? to.first(size) : std::span<uint8_t>();
    }

private:
    explicit KernelMemory(int file) : file_(file) {}

    bool read_file(void* to, std::size_t size, uint64_t offset) const
    {
        return pread(file_.get(), to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
    }

    Descriptor file_;
    std::vector<Elf64_Phdr> parts_;
};

struct Placed {
    uint64_t address = 0;
    std::string_view name; ///< name of the function, owned by the KernelView; empty if the function cannot be traced
};

/// Returns all functions sorted by address. It includes functions that cannot be traced, because each function ends
/// where the next one starts.
std::vector<Placed> placed_functions(probes::KernelView& kernel)
{
    const std::span<const probes::KernelFunction> traceable = kernel.traceable();
    std::vector<Placed> placed;
    kernel.for_each_symbol([&](std::string_view, std::string_view name, uint64_t address) {
        const auto found = std::lower_bound(
            traceable.begin(), traceable.end(), name,
            [](const probes::KernelFunction& each, std::string_view wanted) { return each.name < wanted; });
        const bool is_traceable = found != traceable.end() && found->name == name;
        placed.push_back({address, is_traceable ? found->name : std::string_view()});
    });
    std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.address < b.address; });
    return placed;
}

} // namespace

Result<std::vector<std::string>> functions_that_make(probes::KernelView& kernel, const std::string& proc,
                                                     int32_t number)
{
    const std::string path = proc + "/kcore";
    const Result<KernelMemory> memory = KernelMemory::open(path);
    if (!memory)
        return Error{"cannot read the kernel's code in " + path + ": " + memory.error().message, memory.error().code};
    const std::vector<Placed> functions = placed_functions(kernel);
    std::vector<uint8_t> bytes(kLongestFunction);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const uint64_t end = i + 1 < functions.size() ? functions[i + 1].address : functions[i].address;
        const std::size_t size = std::min<uint64_t>(end - functions[i].address, kLongestFunction);
        if (functions[i].name.empty() || size == 0)
            continue;
        const std::span<const uint8_t> code = memory.value().read(functions[i].address, std::span(bytes).first(size));
        if (kernel.machine().may_make(code, number))
            found.emplace_back(functions[i].name);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace dt
