// The kernel lays elements out in units of eight bytes.
#include "libdtrace/load/shared_map.hpp"

#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace dt {

namespace {

/// With what the map, if any, would begin with. -1: an errno.
int make_memory(const bpf_map* map, std::size_t bytes)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const int descriptor = memfd_create("dtrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>((bytes + page - 1) / page * page)) != 0)
        return descriptor;
    std::size_t size = 0;
    const void* const initial = map ? bpf_map__initial_value(const_cast<bpf_map*>(map), &size) : nullptr;
    if (initial && pwrite(descriptor, initial, std::min(size, bytes), 0) < 0)
        return descriptor;
    fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
    return descriptor;
}

} // namespace

SharedMap::SharedMap(SharedMap&& other) noexcept
    : SharedMemory(std::move(other)), descriptor_(other.descriptor_), is_own_(std::exchange(other.is_own_, false))
{
}

SharedMap::~SharedMap()
{
    if (is_own_)
        close(descriptor_);
}

Result<void> SharedMap::open(const bpf_map* map, std::size_t elements)
{
    const std::size_t element = (bpf_map__value_size(map) + 7) / 8 * 8;
    descriptor_ = bpf_map__fd(map);
    is_own_ = descriptor_ < 0;
    if (is_own_)
        descriptor_ = make_memory(map, element * elements);
    if (!SharedMemory::open(descriptor_, element * elements))
        return Error{std::string("cannot map ") + bpf_map__name(map) + ": " + std::strerror(errno), errno};
    return {};
}

Result<void> SharedMap::make(std::size_t bytes)
{
    is_own_ = true;
    descriptor_ = make_memory(nullptr, bytes);
    if (!SharedMemory::open(descriptor_, bytes))
        return Error{std::string("cannot make shared memory: ") + std::strerror(errno), errno};
    return {};
}

bpf_map* section_map(const bpf_object* object, std::string_view section)
{
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object) if (std::string_view(bpf_map__name(map)).ends_with(section)) return map;
    return nullptr;
}

} // namespace dt
