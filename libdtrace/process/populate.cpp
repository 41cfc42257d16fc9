// Faults in pages by reading one byte of each with process_vm_readv(2). If the page is in the page cache, this copies
// nothing and changes only which pages of the process are present.
#include "libdtrace/process/populate.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <vector>

#include "libdtrace/elf/elf_symbols.hpp"
#include "base/proc_file.hpp"

namespace dt {
namespace {

constexpr std::size_t kMostPopulated = std::size_t{16} << 20;
constexpr std::size_t kAtOnce = 1024; // IOV_MAX

/// Returns the addresses of pages that map data of files.
std::vector<uint64_t> data_pages(const std::vector<Mapping>& mappings, std::size_t page)
{
    std::vector<uint64_t> pages;
    for (const Mapping& mapping : mappings)
        for (uint64_t at = mapping.start; !mapping.is_code && mapping.path.starts_with('/') && at < mapping.end;
             at += page) {
            if (pages.size() == kMostPopulated / page)
                return pages;
            pages.push_back(at);
        }
    return pages;
}

} // namespace

void populate_data(const std::string& proc, int64_t pid)
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
            return; // the process has ended or cannot be read
        const auto done = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        left = left.subspan(done + (done < count ? 1 : 0)); // skips an unreadable page, e.g. after its file's end
    }
}

} // namespace dt
