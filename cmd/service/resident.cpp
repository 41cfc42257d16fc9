// Distinguishes file pages from private pages by /proc/self/pagemap (proc(5)).
#include "cmd/service/resident.hpp"

#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

namespace dt::service {
namespace {

constexpr uint64_t kIsPresent = uint64_t{1} << 63, kIsOfFile = uint64_t{1} << 61;

constexpr uintptr_t kLarge = 256 * 1024; // minimum segment size in bytes

struct Pages {
    int map = -1;
    uintptr_t page = 0;
    uintptr_t least = 0; // minimum segment size in bytes
};

/// Drops all runs of unmodified file pages in the range.
void give_back(const Pages& pages, uintptr_t begin, uintptr_t end)
{
    std::vector<uint64_t> known((end - begin) / pages.page);
    const std::size_t bytes = known.size() * sizeof(uint64_t);
    const auto at = static_cast<off_t>(begin / pages.page * sizeof(uint64_t));
    if (pread(pages.map, known.data(), bytes, at) != static_cast<ssize_t>(bytes))
        return;
    for (std::size_t first = 0; first < known.size();) {
        std::size_t last = first;
        while (last < known.size() && ((known[last] & kIsPresent) == 0 || (known[last] & kIsOfFile) != 0))
            ++last;
        if (last != first)
            madvise(reinterpret_cast<void*>(begin + first * pages.page), (last - first) * pages.page, MADV_DONTNEED);
        first = last + 1;
    }
}

/// Handles the read-only segments of an object, except the kernel's vDSO, which is no file.
int give_back_segments(dl_phdr_info* object, std::size_t, void* data)
{
    const Pages& pages = *static_cast<const Pages*>(data);
    if (std::string_view(object->dlpi_name).starts_with("linux-"))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& header = object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + header.p_vaddr;
        const uintptr_t begin = start / pages.page * pages.page;
        const uintptr_t end = (start + header.p_filesz + pages.page - 1) / pages.page * pages.page;
        if (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0 && end > begin + pages.least)
            give_back(pages, begin, end);
    }
    return 0;
}

} // namespace

void limit_free_memory()
{
    constexpr int kOfItsOwn = 64 * 1024;
    mallopt(M_MMAP_THRESHOLD, kOfItsOwn);
    mallopt(M_TRIM_THRESHOLD, kOfItsOwn);
    mallopt(M_ARENA_MAX, 1); // threads that read a file now and then would otherwise each leave an arena
}

void give_back_free_memory()
{
    malloc_trim(0);
}

unsigned long mapped_bytes()
{
    unsigned long pages = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "re");
    if (!file || std::fscanf(file, "%*u %*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        std::fclose(file);
    return pages * static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
}

void give_back_code(Segments which)
{
    Pages pages{open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)),
                which == Segments::Large ? kLarge : 0};
    if (pages.map < 0)
        return;
    dl_iterate_phdr(give_back_segments, &pages);
    close(pages.map);
}

} // namespace dt::service
