// Parses /proc/kallsyms: "address type name[<TAB>[module]]" per line, without sizes. Per-CPU variables are between the
// symbols __per_cpu_start and __per_cpu_end. Before Linux 6.15 the addresses of per-CPU variables begin at 0 and their
// type is A; since then they look like other data.
//
// All addresses are zero if the reader lacks CAP_SYSLOG or if kernel.kptr_restrict=2 (kernel/kallsyms.c). This is
// reported as an error, because a script that uses a symbol would otherwise read from address 0.
#include "libdtrace/symbols/kernel_symbols.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/text.hpp"

namespace dt {

namespace {

constexpr std::string_view kKernelImage = "vmlinux";

// Removes the first blank-separated word from `line` and returns it.
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

constexpr std::string_view kPrograms = "bpf"; // name of the module to which kallsyms assigns JIT-compiled BPF programs
constexpr uint64_t kKernelPage = 4096;
constexpr uint64_t kMaxProgram = 16 * kKernelPage; // assumed maximum size in bytes of a JIT-compiled eBPF program

/// Returns whether a symbol marks the end of a section of the kernel's image.
bool is_mark(std::string_view name)
{
    static constexpr std::string_view kMarks[] = {"_etext",       "_einittext", "_edata",    "_end",
                                                  "__end_rodata", "__bss_stop", "__init_end"};
    return std::find(std::begin(kMarks), std::end(kMarks), name) != std::end(kMarks);
}

uint64_t number(std::string_view text, int base)
{
    if (text.starts_with("0x"))
        text.remove_prefix(2);
    uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return value;
}

/// Returns whether a symbol of this nm(1) type is code: t and T are text, w and W are weak functions, i is an indirect
/// function.
bool is_code(char type)
{
    return std::string_view("tTwWi").find(type) != std::string_view::npos;
}

/// Returns the rank of a symbol's binding: 0 global, 1 weak, 2 local.
int binding_of(char type)
{
    return std::string_view("vVwW").find(type) != std::string_view::npos ? 1
           : std::isupper(static_cast<unsigned char>(type)) != 0         ? 0
                                                                         : 2;
}

/// Returns the line of the text that contains offset `at`.
std::string_view line_at(std::string_view text, std::size_t at)
{
    const auto before = text.rfind('\n', at);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(start, text.find('\n', at) - start);
}

/// Returns whether any line of the text has an address other than 0.
bool shows_addresses(std::string_view text)
{
    while (!text.empty()) {
        if (number(text.substr(0, 2 * sizeof(uint64_t)), 16) != 0)
            return true;
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return false;
}

/// Reads a file. `usual` is the initial size of the buffer in bytes. It should be slightly larger than the file usually
/// is, because enlarging the buffer temporarily needs twice the memory.
Result<std::string> read_file(const std::string& path, std::size_t usual)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return Error{"cannot read " + path + ": " + std::strerror(errno), errno};
    std::string text;
    text.reserve(usual);
    std::size_t used = 0;
    for (ssize_t got = 1; got != 0;) {
        text.resize(std::max(text.size(), used + (std::size_t{1} << 20)));
        got = ::read(file, text.data() + used, text.size() - used);
        if (got < 0 && errno != EINTR)
            break;
        used += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    ::close(file);
    text.resize(used);
    return text;
}

} // namespace

KernelSymbols::KernelSymbols(std::string kallsyms, std::string modules)
{
    set(std::move(kallsyms), std::move(modules));
}

const Result<void>& KernelSymbols::readable()
{
    if (!readable_)
        read();
    return *readable_;
}

void KernelSymbols::read()
{
    auto kallsyms = read_file(proc_ + "/kallsyms", std::size_t{16} << 20);
    auto modules = read_file(proc_ + "/modules", std::size_t{64} << 10);
    set(kallsyms ? std::move(kallsyms.value()) : std::string(), modules ? std::move(modules.value()) : std::string());
    if (!kallsyms)
        readable_.emplace(kallsyms.error());
}

/// Runs in the child process. Returns the packed symbols, or an empty string on failure.
std::string KernelSymbols::packed_text(ReaderState&, std::string_view proc)
{
    KernelSymbols symbols{std::string(proc)};
    symbols.read();
    symbols.pack();
    if (!symbols.is_packed_ || !*symbols.readable_)
        return {};
    PackedWriter answer;
    symbols.packed_.serialize(answer);
    answer.number(symbols.modules_.size());
    for (const Module& module : symbols.modules_) {
        answer.text(module.name);
        answer.number(module.start);
        answer.number(module.end);
    }
    return answer.take();
}

/// Makes a child process read and pack the symbols. If that fails, returns false and changes nothing.
bool KernelSymbols::read_packed()
{
    if (proc_.empty())
        return false;
    const auto reader = SandboxedReader::start({}, be_kernel_reader);
    const Result<std::string> said =
        reader ? reader.value()->query(packed_text, proc_) : Result<std::string>(reader.error());
    if (!said || said.value().empty())
        return false;
    PackedReader answer(said.value());
    PackedSymbols packed = PackedSymbols::deserialize(answer);
    std::vector<Module> modules(answer.count(3));
    for (Module& module : modules) {
        module.name = answer.text();
        module.start = answer.number();
        module.end = answer.number();
    }
    if (!answer.good() || modules.empty() || modules.size() > UINT16_MAX)
        return false;
    packed_ = std::move(packed);
    modules_ = std::move(modules);
    indices_.clear();
    for (std::size_t i = 0; i < modules_.size(); ++i)
        indices_.emplace(modules_[i].name, static_cast<uint16_t>(i));
    std::exchange(text_, {});
    std::exchange(modules_text_, {});
    std::exchange(symbols_, {});
    sorted_ = is_packed_ = has_programs_ = true;
    per_cpu_.reset();
    looked_up_.clear();
    readable_.emplace();
    return true;
}

/// Reads the text of /proc/kallsyms unless it is already in memory, so that names can be looked up. Returns whether
/// symbols are readable.
bool KernelSymbols::has_text()
{
    if (is_packed_) {
        // read() clears the results of earlier lookups, so these results are saved before and restored afterwards.
        auto known = std::move(looked_up_);
        read();
        looked_up_ = std::move(known);
    }
    return static_cast<bool>(readable());
}

void KernelSymbols::set(std::string kallsyms, std::string modules)
{
    text_ = std::move(kallsyms);
    modules_text_ = std::move(modules);
    sorted_ = is_packed_ = false;
    packed_ = {};
    has_programs_ = true;
    per_cpu_.reset();
    looked_up_.clear();
    if (shows_addresses(text_))
        readable_.emplace();
    else
        readable_.emplace(
            Error{"the kernel hides its addresses (CAP_SYSLOG is needed, and kernel.kptr_restrict below 2)", EPERM});
}

std::optional<KernelSymbols::Line> KernelSymbols::parse(std::string_view text)
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
    line.module = kKernelImage;
    if (text.starts_with("\t[") && text.ends_with("]"))
        line.module = text.substr(2, text.size() - 3);
    return line;
}

// ---- by name --------------------------------------------------------------------------------------------------------

uint64_t KernelSymbols::next_address(uint64_t address) const
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

std::optional<KernelSymbols::Line> KernelSymbols::find_line(std::string_view module, std::string_view name) const
{
    const std::string_view text = text_;
    const std::string needle = " " + std::string(name);
    std::optional<Line> best;
    for (auto at = text.find(needle); at != std::string_view::npos && !name.empty(); at = text.find(needle, at + 1)) {
        const auto line = parse(line_at(text, at));
        if (!line || line->name != name || (line->address == 0 && line->type != 'A') ||
            (!module.empty() && line->module != module))
            continue;
        if (!best || (best->module != kKernelImage && line->module == kKernelImage))
            best = line;
    }
    return best;
}

std::optional<KernelSymbols::Definition> KernelSymbols::lookup(std::string_view module, std::string_view name)
{
    read_for_a_name_ |= !readable_;
    if (!readable())
        return {};
    const std::string key = std::string(module) + '`' + std::string(name);
    if (const auto known = looked_up_.find(key); known != looked_up_.end())
        return known->second;
    return has_text() ? looked_up_[key] = search(module, name) : std::nullopt;
}

std::optional<KernelSymbols::Definition> KernelSymbols::search(std::string_view module, std::string_view name) const
{
    const std::optional<Line> best = find_line(module, name);
    if (!best)
        return {};
    const uint64_t next = next_address(best->address);
    return Definition{std::string(best->module), best->address, next == 0 ? 0 : next - best->address,
                      is_code(best->type)};
}

bool KernelSymbols::is_per_cpu(uint64_t address)
{
    if (!readable())
        return false;
    if (!per_cpu_ && has_text()) {
        const auto start = find_line(kKernelImage, "__per_cpu_start"), end = find_line(kKernelImage, "__per_cpu_end");
        per_cpu_ = start && end ? Range{start->address, end->address} : Range{};
    }
    return per_cpu_ && address >= per_cpu_->start && address < per_cpu_->end;
}

void KernelSymbols::for_each_function(const VisitFunction& visit)
{
    read_for_a_name_ |= !readable_;
    if (!has_text())
        return;
    const auto begin = find_line(kKernelImage, "_sinittext"), end = find_line(kKernelImage, "_einittext");
    const Range freed = begin && end ? Range{begin->address, end->address} : Range{};
    for_each_line(text_, [&](std::string_view text) {
        const auto line = parse(text);
        const bool is_freed = line && line->address >= freed.start && line->address < freed.end;
        if (line && line->address != 0 && is_code(line->type) && line->module != kPrograms && !is_freed)
            visit(line->module, line->name, line->address);
    });
}

// ---- by address -----------------------------------------------------------------------------------------------------

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

void KernelSymbols::sort()
{
    if (std::exchange(sorted_, true))
        return;
    symbols_.clear();
    modules_.clear();
    indices_.clear();
    symbols_.reserve(text_.size() / 45);
    module_index(kKernelImage);
    for_each_line(text_, [this](std::string_view text) {
        const auto line = parse(text);
        // an absolute symbol's value is an offset into a per-CPU area, not an address
        if (!line || line->address == 0 || line->type == 'a' || line->type == 'A' ||
            (!has_programs_ && line->module == kPrograms))
            return;
        symbols_.push_back({line->address, static_cast<uint32_t>(line->name.data() - text_.data()),
                            static_cast<uint16_t>(line->name.size()), module_index(line->module)});
    });
    std::sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) { return a.start < b.start; });
    keep_best_names();
    read_modules();
    for (const Symbol& symbol : symbols_) {
        Module& module = modules_[symbol.module];
        if (module.start == 0)
            module.start = symbol.start;
        if (symbol.module == 0 && name_of(symbol) == "_end")
            module.end = symbol.start + 1;
    }
}

/// Reduces the symbols to one per address. If several symbols have the same address, one that marks the end of a
/// section is preferred, because later code looks it up by name.
void KernelSymbols::keep_best_names()
{
    const auto binding = [this](const Symbol& symbol) {
        return is_mark(name_of(symbol)) ? -1 : binding_of(text_[symbol.name - 2]);
    };
    std::size_t kept = 0;
    for (const Symbol& symbol : symbols_) {
        if (kept == 0 || symbols_[kept - 1].start != symbol.start)
            symbols_[kept++] = symbol;
        else if (is_better_name(name_of(symbol), binding(symbol), name_of(symbols_[kept - 1]),
                                binding(symbols_[kept - 1])))
            symbols_[kept - 1] = symbol;
    }
    symbols_.resize(kept);
}

// Columns of /proc/modules: NAME SIZE USERS BY STATE ADDRESS
void KernelSymbols::read_modules()
{
    for_each_line(modules_text_, [this](std::string_view line) {
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
}

/// Returns the end of a symbol. kallsyms contains no sizes, so a symbol extends to the next one, but not beyond its
/// section or module. The ends of modules are known, and marker symbols are at the ends of the sections of the kernel's
/// image. JIT code and the last symbol of a module may have no symbol after them, so their size is limited by a
/// constant.
uint64_t KernelSymbols::end_of(const Named& symbol, const Named* next) const
{
    const Module& module = modules_[symbol.module];
    const uint64_t end = next ? next->start : UINT64_MAX;
    if (module.end > symbol.start)
        return std::min(end, is_mark(symbol.name) ? symbol.start + 1 : module.end);
    if (symbol.module == 0)
        return next && next->module == 0 && !is_mark(symbol.name) ? end : symbol.start + 1;
    return std::min(end,
                    symbol.start / kKernelPage * kKernelPage + (module.name == kPrograms ? kMaxProgram : kKernelPage));
}

/// Finds the symbol and module to which an address belongs. `symbol` is the last symbol at or before the address, or
/// null; `next` is the first symbol after the address, or null.
KernelSymbols::Found KernelSymbols::find_below(uint64_t address, const Named* symbol, const Named* next) const
{
    if (symbol && address < end_of(*symbol, next))
        return {modules_[symbol->module].name, symbol->name, symbol->start};
    for (const Module& module : modules_)
        if (address >= module.start && address < module.end)
            return {module.name, {}, module.start};
    return {};
}

KernelSymbols::Found KernelSymbols::find_sorted(uint64_t address) const
{
    const auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                        [](uint64_t value, const Symbol& symbol) { return value < symbol.start; });
    const auto next = after == symbols_.end() ? Named{} : named(*after);
    const auto symbol = after == symbols_.begin() ? Named{} : named(*(after - 1));
    return find_below(address, after == symbols_.begin() ? nullptr : &symbol,
                      after == symbols_.end() ? nullptr : &next);
}

bool KernelSymbols::is_forgotten(const Named& symbol) const
{
    return !has_programs_ && modules_[symbol.module].name == kPrograms;
}

/// Finds the symbol of an address. Symbols of JIT-compiled programs may have been discarded, so the block of packed
/// symbols for the address may contain no symbol before the address. If so, earlier blocks are searched.
KernelSymbols::Found KernelSymbols::find_packed(uint64_t address)
{
    for (std::size_t block = packed_.block_of(address); block != PackedSymbols::kNone; --block) {
        const std::vector<Named>& symbols = packed_.unpack(block);
        auto after = std::upper_bound(symbols.begin(), symbols.end(), address,
                                      [](uint64_t value, const Named& symbol) { return value < symbol.start; });
        for (; after != symbols.begin(); --after)
            if (!is_forgotten(*(after - 1)))
                return find_below(address, &*(after - 1), after == symbols.end() ? nullptr : &*after);
    }
    return find_below(address, nullptr, nullptr);
}

KernelSymbols::Found KernelSymbols::find_known(uint64_t address)
{
    if (readable_ || !stays_packed_ || !read_packed())
        readable();
    if (is_packed_)
        return find_packed(address);
    sort();
    return find_sorted(address);
}

KernelSymbols::Found KernelSymbols::find(uint64_t address)
{
    const Found found = find_known(address);
    if (!found.module.empty() || !std::exchange(read_for_a_name_, false))
        return found;
    if (!stays_packed_ || !read_packed()) {
        read();
        if (stays_packed_)
            pack();
    }
    return find_known(address);
}

void KernelSymbols::pack()
{
    stays_packed_ = true;
    if (is_packed_ || !readable_ || text_.empty())
        return;
    sort();
    packed_ = {};
    for (const Symbol& symbol : symbols_)
        packed_.add(named(symbol));
    packed_.finish();
    is_packed_ = true;
    std::exchange(text_, {});
    std::exchange(modules_text_, {});
    std::exchange(symbols_, {});
}

void KernelSymbols::forget_programs()
{
    if (!readable_)
        return;
    read_for_a_name_ = true;
    has_programs_ = false;
    if (const auto programs = indices_.find(kPrograms); programs != indices_.end() && !is_packed_)
        std::erase_if(symbols_, [&](const Symbol& symbol) { return symbol.module == programs->second; });
}

uint64_t KernelSymbols::module_start(std::string_view module)
{
    return module_range(module).first;
}

std::pair<uint64_t, uint64_t> KernelSymbols::module_range(std::string_view module)
{
    readable();
    if (!is_packed_)
        sort();
    const auto known = indices_.find(module);
    return known == indices_.end() ? std::pair<uint64_t, uint64_t>()
                                   : std::pair(modules_[known->second].start, modules_[known->second].end);
}

} // namespace dt
