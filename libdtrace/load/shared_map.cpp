// The kernel lays elements out in units of eight bytes.
#include "libdtrace/load/shared_map.hpp"

#include <bpf/libbpf.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace dt {

Result<void> SharedMap::open(const bpf_map* map, std::size_t elements)
{
    const std::size_t element = (bpf_map__value_size(map) + 7) / 8 * 8;
    if (!SharedMemory::open(bpf_map__fd(map), element * elements))
        return Error{std::string("cannot map ") + bpf_map__name(map) + ": " + std::strerror(errno), errno};
    return {};
}

bpf_map* section_map(const bpf_object* object, std::string_view section)
{
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object) if (std::string_view(bpf_map__name(map)).ends_with(section)) return map;
    return nullptr;
}

} // namespace dt
