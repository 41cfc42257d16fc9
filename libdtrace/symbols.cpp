#include "libdtrace/symbols.hpp"

#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <map>
#include <unistd.h>
#include <unordered_map>

#include "libdtrace/symbols_jit.hpp"
#include "libdtrace/symbols_kernel.hpp"
#include "libdtrace/symbols_user.hpp"

namespace dt {

namespace {

std::string read_file(const std::string& path)
{
    std::string text;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return text;
    std::size_t used = 0;
    for (;;) {
        text.resize(used + std::max<std::size_t>(used, 64 * 1024));
        const ssize_t got = ::read(file, text.data() + used, text.size() - used);
        if (got <= 0)
            break;
        used += static_cast<std::size_t>(got);
    }
    ::close(file);
    text.resize(used);
    return text;
}

std::string hexadecimal(uint64_t value)
{
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
    return buffer;
}

uint64_t monotonic_ms()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
}

// The one place that knows how an address is written. `name` empty: only the module is known; `module` empty: nothing is.
std::string write_address(uint64_t address, Symbols::Form form, std::string_view module, std::string_view name,
                          uint64_t start_of_symbol)
{
    if (module.empty())
        return hexadecimal(address);
    std::string text(module);
    if (form == Symbols::Form::Module)
        return text;
    text += '`';
    if (name.empty())
        return text += hexadecimal(address);
    text += name;
    if (form == Symbols::Form::Exact && address != start_of_symbol)
        text.append("+").append(hexadecimal(address - start_of_symbol));
    return text;
}

} // namespace

struct Symbols::Impl {
    struct Process {
        std::vector<Mapping> mappings;
        std::vector<ElfSymbols::Symbol> jit;
        uint32_t owner = 0; // user; root's files are believed anyway
        uint32_t looks = 0; // for jit
        uint64_t read_at_ms = 0;
        std::unordered_map<uint64_t, std::string> texts[4]; // by form; [3] is noresolve
    };
    struct Place {
        const Mapping* mapping = nullptr;
        const ElfSymbols::Symbol* symbol = nullptr;
        uint64_t start = 0; // of the symbol, in the process

        std::string_view module() const
        {
            return mapping ? mapping->base_name() : symbol ? kJitModule : std::string_view{};
        }
    };

    static constexpr std::size_t kMostTexts = 1 << 20;   // per form; then the cache starts again
    static constexpr std::size_t kMostProcesses = 4096;  // likewise
    static constexpr uint64_t kRereadMs = 100;           // an unknown address re-reads the maps at most this often,
    static constexpr uint32_t kLooks = 4;                // but the first few times at once: the process may have been short

    std::string proc;
    bool kernel_loaded = false;
    KernelSymbols kernel;
    std::unordered_map<uint64_t, std::string> kernel_texts[3];
    std::unordered_map<int64_t, Process> processes;
    std::map<std::string, std::shared_ptr<const ElfSymbols>> files;
    std::string unknown;

    const KernelSymbols& kernel_symbols()
    {
        if (!kernel_loaded) {
            kernel.load(read_file(proc + "/kallsyms"), read_file(proc + "/modules"));
            kernel_loaded = true;
        }
        return kernel;
    }

    void read_maps(int64_t pid, Process& process)
    {
        process.read_at_ms = monotonic_ms();
        ++process.looks;
        if (auto jit = read_jit_map(proc, pid, process.owner); !jit.empty())
            process.jit = std::move(jit);
        std::vector<Mapping> fresh = parse_maps(read_file(proc + "/" + std::to_string(pid) + "/maps"));
        if (fresh.empty())
            return; // gone, or a kernel thread: what was known stays
        process.mappings = std::move(fresh);
        for (auto& texts : process.texts)
            texts.clear();
    }

    Process& process(int64_t pid)
    {
        if (processes.size() > kMostProcesses)
            processes.clear();
        const auto [entry, is_new] = processes.try_emplace(pid);
        if (is_new)
            read_maps(pid, entry->second);
        return entry->second;
    }

    const ElfSymbols& symbols_of(int64_t pid, Mapping& mapping)
    {
        if (!mapping.symbols) {
            // The process's own view of the file comes first: it may live in a container. It may also end at any moment, and the view with it.
            std::shared_ptr<const ElfSymbols>& known = files[mapping.path];
            if (!known || !known->found())
                known = std::make_shared<const ElfSymbols>(proc + "/" + std::to_string(pid) + "/root" + mapping.path);
            if (!known->found())
                known = std::make_shared<const ElfSymbols>(mapping.path);
            mapping.symbols = known;
        }
        return *mapping.symbols;
    }

    Place find(int64_t pid, uint64_t address)
    {
        Place place;
        if (pid <= 0)
            return place;
        Process& owner = process(pid);
        Mapping* mapping = find_mapping(owner.mappings, address);
        place.symbol = mapping ? nullptr : find_jit(owner.jit, address);
        if (!mapping && !place.symbol && (owner.looks < kLooks || monotonic_ms() - owner.read_at_ms > kRereadMs)) {
            read_maps(pid, owner);
            mapping = find_mapping(owner.mappings, address);
            place.symbol = mapping ? nullptr : find_jit(owner.jit, address);
        }
        if (!mapping) {
            place.start = place.symbol ? place.symbol->start : 0;
            return place;
        }
        place.mapping = mapping;
        if (mapping->path.front() != '/')
            return place;
        const ElfSymbols& symbols = symbols_of(pid, *mapping);
        const uint64_t linked = symbols.address_of_offset(address - mapping->start + mapping->offset);
        place.symbol = symbols.find(linked);
        if (place.symbol)
            place.start = address - (linked - place.symbol->start);
        return place;
    }

    std::string user_text(int64_t pid, uint64_t address, Form form, bool noresolve)
    {
        if (noresolve) {
            Process& owner = process(pid);
            const Mapping* mapping = find_mapping(owner.mappings, address);
            if (!mapping)
                return hexadecimal(address);
            return std::string(mapping->base_name()) + ":" + hexadecimal(address - mapping->start);
        }
        const Place place = find(pid, address);
        return write_address(address, form, place.module(),
                             place.symbol ? std::string_view(place.symbol->name) : "", place.start);
    }
};

Symbols::Symbols(std::string proc) : impl_(std::make_unique<Impl>())
{
    impl_->proc = std::move(proc);
}

Symbols::~Symbols() = default;

std::string_view Symbols::kernel(uint64_t address, Form form)
{
    auto& texts = impl_->kernel_texts[static_cast<std::size_t>(form)];
    const auto known = texts.find(address);
    if (known != texts.end())
        return known->second;
    if (texts.size() >= Impl::kMostTexts)
        texts.clear();
    const KernelSymbols::Found found = impl_->kernel_symbols().find(address);
    return texts[address] = write_address(address, form, found.module, found.name, found.start);
}

std::string_view Symbols::user(int64_t pid, uint64_t address, Form form, bool noresolve)
{
    if (pid <= 0)
        return impl_->unknown = hexadecimal(address);
    const std::size_t kind = noresolve ? 3 : static_cast<std::size_t>(form);
    {
        auto& texts = impl_->process(pid).texts[kind];
        const auto known = texts.find(address);
        if (known != texts.end())
            return known->second;
        if (texts.size() >= Impl::kMostTexts)
            texts.clear();
    }
    // Resolving may read the maps again, which empties the cache: look the process up after it.
    std::string text = impl_->user_text(pid, address, form, noresolve);
    const bool is_known = text.compare(0, 2, "0x") != 0;
    if (!is_known)
        return impl_->unknown = std::move(text);
    return impl_->process(pid).texts[kind][address] = std::move(text);
}

uint64_t Symbols::reduce_kernel(uint64_t address, Form form)
{
    if (form == Form::Exact)
        return address;
    const KernelSymbols::Found found = impl_->kernel_symbols().find(address);
    if (found.module.empty())
        return address;
    if (form == Form::Module)
        return impl_->kernel.module_start(found.module);
    return found.name.empty() ? address : found.start;
}

uint64_t Symbols::reduce_user(int64_t pid, uint64_t address, Form form)
{
    if (form == Form::Exact)
        return address;
    const Impl::Place place = impl_->find(pid, address);
    if (form == Form::Symbol)
        return place.symbol ? place.start : address;
    if (!place.mapping)
        return address;
    // A file has one mapping a segment: the first of them stands for the object.
    for (const Mapping& mapping : impl_->process(pid).mappings)
        if (mapping.path == place.mapping->path)
            return mapping.start;
    return address;
}

void Symbols::remember(int64_t pid)
{
    impl_->read_maps(pid, impl_->processes[pid]);
}

} // namespace dt
