// Resolves names in a process to addresses: /proc/PID/maps gives the mapped files, and their ELF symbol tables give the
// addresses. The last part of this file faults in the data pages of a process.
//
// A file is read through /proc/PID/map_files, which opens the mapped file itself even if it was deleted or belongs to a
// container. If access is denied, the file is opened by its path below the process's root.
#include "libdtrace/mappings/loaded_objects.hpp"

#include <gelf.h>
#include <libelf.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <fstream>
#include <span>
#include <sstream>

#include "base/packed_bytes.hpp"
#include "base/proc_file.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/identification.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "probes/process_view.hpp"

namespace dt {
namespace {

std::string link_target(const std::string& path)
{
    char target[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), target, sizeof target);
    std::string text(target, size > 0 ? static_cast<std::size_t>(size) : 0);
    constexpr std::string_view kDeleted = " (deleted)";
    if (text.ends_with(kDeleted))
        text.resize(text.size() - kDeleted.size());
    return text;
}

std::string openable_file(const std::string& process, const Mapping& mapping)
{
    char range[48];
    std::snprintf(range, sizeof range, "/map_files/%llx-%llx", static_cast<unsigned long long>(mapping.start),
                  static_cast<unsigned long long>(mapping.end));
    for (const std::string& file : {process + range, process + "/root" + mapping.path})
        if (access(file.c_str(), R_OK) == 0)
            return file;
    return mapping.path;
}

/// Returns the rank of a symbol among symbols of the same name; the lowest rank is best. Returns nothing if the symbol
/// has no address in the file.
std::optional<int> rank_of(const GElf_Sym& symbol)
{
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    const bool typed = type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC || type == STT_COMMON;
    if ((!typed && type != STT_NOTYPE) || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS ||
        symbol.st_value == 0)
        return {};
    return (typed ? 0 : 4) + rank_of_binding(symbol);
}

std::optional<GElf_Sym> find_symbol(Elf* elf, std::string_view name)
{
    std::optional<GElf_Sym> best;
    int best_rank = INT_MAX;
    for_each_symbol(elf, [&](const GElf_Sym& symbol, std::string_view text) {
        const auto rank = without_version(text) == name ? rank_of(symbol) : std::nullopt;
        if (rank && *rank < best_rank) {
            best = symbol;
            best_rank = *rank;
        }
    });
    return best;
}

/// Returns the load bias: addresses in the process minus link-time addresses. `object.start` is the address at which
/// the file's lowest segment is mapped.
std::optional<uint64_t> load_bias(const ElfIdentification& file, const LoadedObjects::Object& object)
{
    const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    for (const ElfIdentification::Segment& segment : file.loaded)
        if (segment.offset / page * page == object.offset)
            return object.start - segment.address / page * page;
    return {};
}

/// Runs in a sandboxed reader. The request contains a path and a symbol name. The answer contains the address, size and
/// type of the symbol; the answer is empty if the symbol is not found.
std::string serialize_definition(ReaderState&, std::string_view request)
{
    PackedReader asked(request);
    const std::string path(asked.text());
    const ElfFile file(path);
    const auto symbol = file.get() ? find_symbol(file.get(), asked.text()) : std::nullopt;
    if (!symbol)
        return {};
    const unsigned type = GELF_ST_TYPE(symbol->st_info);
    PackedWriter answer;
    answer.number(symbol->st_value);
    answer.number(symbol->st_size);
    answer.number(type == STT_FUNC || type == STT_GNU_IFUNC ? 1 : 0);
    return answer.take();
}

} // namespace

LoadedObjects::LoadedObjects(const std::string& proc, int64_t pid)
{
    std::string process;
    do {
        process = process_folder(proc, pid);
        read(process);
        // repeats the read with another thread if the thread whose /proc files were read has ended
    } while (process_folder(proc, pid) != process);
}

void LoadedObjects::read(const std::string& process)
{
    objects_.clear();
    std::ostringstream text;
    text << std::ifstream(process + "/maps").rdbuf();
    const std::string executable = link_target(process + "/exe");
    for (const Mapping& mapping : parse_maps(text.str())) {
        const auto known = std::find_if(objects_.begin(), objects_.end(),
                                        [&](const Object& object) { return object.path == mapping.path; });
        if (known != objects_.end())
            known->has_code |= mapping.is_code;
        else if (mapping.path.front() == '/')
            objects_.push_back(
                {mapping.path, openable_file(process, mapping), mapping.start, mapping.offset, mapping.is_code});
    }
    std::stable_partition(objects_.begin(), objects_.end(),
                          [&](const Object& object) { return object.path == executable; });
}

const LoadedObjects::Object* LoadedObjects::find(std::string_view module) const
{
    const auto found =
        std::find_if(objects_.begin(), objects_.end(), [&, name = std::string(module)](const Object& object) {
            return !name.empty() && probes::matches_file(object.path, &object == &objects_.front(), name);
        });
    return found == objects_.end() ? nullptr : &*found;
}

std::optional<LoadedObjects::Definition> LoadedObjects::lookup(UntrustedFiles& files, std::string_view module,
                                                               std::string_view name) const
{
    const Object* only = module.empty() ? nullptr : find(module);
    if (name.empty() || (!module.empty() && !only))
        return {};
    for (const Object& object : objects_) {
        if (only && only != &object)
            continue;
        PackedWriter request;
        request.text(object.file);
        request.text(name);
        const Result<std::string> reply = files.read(object.file, serialize_definition, request.take());
        if (!reply || reply.value().empty())
            continue;
        const ElfIdentification file = identify_elf(object.file);
        const auto bias = load_bias(file, object);
        PackedReader answer(reply.value());
        const uint64_t address = answer.number(), size = answer.number();
        const bool is_function = answer.number() != 0;
        if (bias && answer.good())
            return Definition{&object, *bias + address, size, is_function, file.is_narrow};
    }
    return {};
}

// Faults in pages by reading one byte of each with process_vm_readv(2). If a page is in the page cache, this only maps
// the page in the process; no page is copied.

namespace {

constexpr std::size_t kMaxPopulated = std::size_t{16} << 20;
constexpr std::size_t kAtOnce = 1024; // maximum number of pages per system call (IOV_MAX)

/// Returns the addresses of pages that map data of files.
std::vector<uint64_t> data_pages(const std::vector<Mapping>& mappings, std::size_t page)
{
    std::vector<uint64_t> pages;
    for (const Mapping& mapping : mappings)
        for (uint64_t at = mapping.start; !mapping.is_code && mapping.path.starts_with('/') && at < mapping.end;
             at += page) {
            if (pages.size() == kMaxPopulated / page)
                return pages;
            pages.push_back(at);
        }
    return pages;
}

} // namespace

void prefault_data(const std::string& proc, int64_t pid)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::vector<uint64_t> pages =
        data_pages(parse_maps(read_proc_file(process_folder(proc, pid) + "/maps")), page);
    const auto thread = static_cast<pid_t>(thread_with_memory(proc, pid));
    std::array<char, kAtOnce> bytes;
    std::array<iovec, kAtOnce> remote;
    for (std::span<const uint64_t> left = pages; !left.empty();) {
        const std::size_t count = std::min(left.size(), kAtOnce);
        std::transform(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count), remote.begin(),
                       [](uint64_t address) {
                           return iovec{reinterpret_cast<void*>(address), 1};
                       });
        const iovec local{bytes.data(), count};
        const ssize_t got = process_vm_readv(thread, &local, 1, remote.data(), count, 0);
        if (got < 0 && errno != EFAULT)
            return; // stops, because the process has ended or its memory cannot be read
        const auto done = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        // Skips a page that cannot be read, for example because it lies behind the end of its file.
        left = left.subspan(done + (done < count ? 1 : 0));
    }
}

} // namespace dt
