// The kernel lays elements out in units of eight bytes and maps whole pages.
#include "libdtrace/load/shared_map.hpp"

#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace dt {

SharedMap::SharedMap(SharedMap&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)), size_(other.size_) {}

SharedMap::~SharedMap()
{
    if (memory_)
        munmap(memory_, size_);
}

Result<void> SharedMap::open(const bpf_map* map, std::size_t elements)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t element = (bpf_map__value_size(map) + 7) / 8 * 8;
    size_ = (element * elements + page - 1) / page * page;
    void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
    if (memory == MAP_FAILED)
        return Error{std::string("cannot map ") + bpf_map__name(map) + ": " + std::strerror(errno), errno};
    memory_ = memory;
    return {};
}

bpf_map* section_map(const bpf_object* object, std::string_view section)
{
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object) if (std::string_view(bpf_map__name(map)).ends_with(section)) return map;
    return nullptr;
}

} // namespace dt
