// A process that does not exist, one that may not be looked at and a kernel thread all have no files: the user wants to know which it is.
//
// The symbols of its files are kept while it is asked about: a thousand names are looked up in tables that were read once.
#include "libdtrace/process/view.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "dcompiler/world.hpp"
#include "libdtrace/process/debug_files.hpp"
#include "libdtrace/process/demangle.hpp"
#include "libdtrace/process/elf_file.hpp"
#include "libdtrace/process/elf_symbols.hpp"
#include "libdtrace/process/objects.hpp"

namespace dt {
namespace {

bool is_literal(std::string_view pattern)
{
    return !pattern.empty() && pattern.find_first_of("*?[\\") == std::string_view::npos;
}

/// Does the pattern mean the symbol, by the name in the file, or as its author wrote it, with parameters or without?
bool is_called(const std::string& symbol, std::string_view pattern)
{
    if (glob_match(pattern, symbol))
        return true;
    // A plain name is spelled in what the compiler made of it.
    const bool is_plain = is_literal(pattern) && pattern.find_first_of(" :<>(),") == std::string_view::npos;
    if (!symbol.starts_with('_') || (is_plain && symbol.find(pattern) == std::string::npos))
        return false;
    return glob_match(pattern, demangled(symbol)) || glob_match(pattern, demangled_name(symbol));
}

/// A clone of the compiler's; in a Go program a function of Go, whose names are package.function.
bool has_dot(const ElfSymbols::Symbol& symbol)
{
    return symbol.name.find('.') != std::string::npos;
}

probes::ProcessView::Calls calls_of(const ElfSymbols::Symbol& symbol, const ElfSymbols& symbols)
{
    using Calls = probes::ProcessView::Calls;
    if (symbols.is_32bit())
        return Calls::C32;
    if (!symbols.is_go() || !has_dot(symbol))
        return Calls::C;
    return symbol.name.ends_with(".abi0") ? Calls::GoOnStack : Calls::Go;
}

/// The address that a file has under a name which is not the one its function is known by.
std::optional<uint64_t> address_of_alias(const std::string& path, std::string_view name)
{
    const ElfFile file(path);
    std::optional<uint64_t> address;
    const auto look = [&](Elf* elf) {
        for_each_symbol(elf, [&](const GElf_Sym& symbol, const char* text) {
            if (symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 && without_version(text) == name)
                address = symbol.st_value;
        });
    };
    if (file.get()) {
        look(file.get());
        visit_stripped_symbols(file.get(), path, look);
    }
    return address;
}

class LiveProcesses final : public probes::ProcessView {
public:
    explicit LiveProcesses(std::function<std::string()> proc) : proc_(std::move(proc)) {}

    bool is_tracer(int64_t pid) override { return pid == getpid(); }

    Result<std::vector<Object>> objects(int64_t pid) override
    {
        const std::string proc = proc_(), process = proc + "/" + std::to_string(pid);
        char program[1];
        if (readlink((process + "/exe").c_str(), program, sizeof program) < 0) {
            const int reason = errno;
            const bool is_gone = access(process.c_str(), F_OK) != 0;
            return Error{is_gone ? "No such process" : reason == ENOENT ? "it is a kernel thread" : std::strerror(reason), is_gone ? ESRCH : reason};
        }
        std::vector<Object> result;
        bool is_first = true; // the executable
        const ProcessObjects files(proc, pid);
        for (const ProcessObjects::Object& object : files.all()) {
            if (object.has_code)
                result.push_back({object.path, is_first, object.file});
            is_first = false;
        }
        forget_others(result);
        return result;
    }

    std::vector<Function> functions(const Object& object, std::string_view pattern) override
    {
        const ElfSymbols& symbols = symbols_of(object);
        std::vector<Function> result;
        const auto take = [&](const ElfSymbols::Symbol& symbol) {
            if (symbol.is_function)
                result.push_back({demangled(symbol.name), symbol.size, symbols.code_offset(symbol.start), symbol.is_indirect,
                                  has_dot(symbol) && !symbols.is_go(), calls_of(symbol, symbols), symbols.is_go()});
        };
        for (const ElfSymbols::Symbol& symbol : symbols.all())
            if (is_called(symbol.name, pattern))
                take(symbol);
        if (const auto address = result.empty() && is_literal(pattern) ? address_of_alias(object.file, pattern) : std::nullopt)
            if (const ElfSymbols::Symbol* const symbol = symbols.find(*address); symbol && symbol->start == *address)
                take(*symbol);
        return result;
    }

    std::optional<uint64_t> place_of(const Object& object, uint64_t address) override { return symbols_of(object).code_offset(address); }

    std::vector<uint8_t> bytes(const std::string& file, uint64_t offset, std::size_t count) override
    {
        std::vector<uint8_t> bytes(count);
        if (!open_ || open_name_ != file) {
            open_ = std::make_unique<ElfFile>(file);
            open_name_ = file;
        }
        const ssize_t got = pread(open_->descriptor(), bytes.data(), count, static_cast<off_t>(offset));
        bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        return bytes;
    }

private:
    using Key = std::pair<std::string, std::string>; ///< path, and what is opened

    const ElfSymbols& symbols_of(const Object& object)
    {
        std::unique_ptr<const ElfSymbols>& symbols = symbols_[{object.path, object.file}];
        if (!symbols)
            symbols = std::make_unique<const ElfSymbols>(object.file);
        return *symbols;
    }

    /// Another process, or other files of the same one: what is opened here has the number of the process and the place in it.
    void forget_others(const std::vector<Object>& objects)
    {
        open_.reset();
        std::erase_if(symbols_, [&](const auto& known) {
            return std::none_of(objects.begin(), objects.end(), [&](const Object& object) { return Key(object.path, object.file) == known.first; });
        });
    }

    std::function<std::string()> proc_;
    std::map<Key, std::unique_ptr<const ElfSymbols>> symbols_; ///< of the process last asked for
    std::string open_name_;
    std::unique_ptr<const ElfFile> open_; ///< whose bytes were last asked for
};

} // namespace

std::unique_ptr<probes::ProcessView> live_processes(std::function<std::string()> proc)
{
    return std::make_unique<LiveProcesses>(std::move(proc));
}

} // namespace dt
