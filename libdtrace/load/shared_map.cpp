// Maps memory of BPF arrays. The kernel places elements at multiples of eight bytes.
#include "libdtrace/load/shared_map.hpp"

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

/// Returns a descriptor, or -1 with errno set.
int make_memory(std::span<const uint8_t> initial, std::size_t bytes)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const int descriptor = memfd_create("dtrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>((bytes + page - 1) / page * page)) != 0)
        return descriptor;
    if (!initial.empty() && pwrite(descriptor, initial.data(), std::min(initial.size(), bytes), 0) < 0)
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

Result<void> SharedMap::open(const LoadedMap& map, std::size_t elements)
{
    const std::size_t element = (map.value_size + 7) / 8 * 8;
    descriptor_ = map.descriptor;
    is_own_ = descriptor_ < 0;
    if (is_own_)
        descriptor_ = make_memory(map.initial, element * elements);
    if (!SharedMemory::open(descriptor_, element * elements))
        return Error{"cannot map " + map.name + ": " + std::strerror(errno), errno};
    return {};
}

Result<void> SharedMap::make(std::size_t bytes)
{
    is_own_ = true;
    descriptor_ = make_memory({}, bytes);
    if (!SharedMemory::open(descriptor_, bytes))
        return Error{std::string("cannot make shared memory: ") + std::strerror(errno), errno};
    return {};
}

} // namespace dt
