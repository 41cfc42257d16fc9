#include "libdtrace/load/loaded_maps.hpp"

#include <bpf/libbpf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace dt {

namespace {

LoadedMap described(const bpf_map* map)
{
    LoadedMap described{bpf_map__name(map),
                        -1,
                        static_cast<uint32_t>(bpf_map__type(map)),
                        bpf_map__key_size(map),
                        bpf_map__value_size(map),
                        bpf_map__max_entries(map),
                        bpf_map__map_flags(map),
                        {}};
    if (const int descriptor = bpf_map__fd(map); descriptor >= 0) {
        described.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        return described;
    }
    std::size_t size = 0;
    if (const void* const values = bpf_map__initial_value(const_cast<bpf_map*>(map), &size))
        described.initial = {static_cast<const uint8_t*>(values), size};
    return described;
}

} // namespace

LoadedMaps::LoadedMaps(const bpf_object* object)
{
    for (const bpf_map* map = bpf_object__next_map(object, nullptr); map; map = bpf_object__next_map(object, map))
        all_.push_back(described(map));
    all_.shrink_to_fit();
}

LoadedMaps& LoadedMaps::operator=(LoadedMaps&& other) noexcept
{
    all_.swap(other.all_);
    return *this;
}

LoadedMaps::~LoadedMaps()
{
    for (const LoadedMap& map : all_)
        if (map.descriptor >= 0)
            close(map.descriptor);
}

const LoadedMap* LoadedMaps::find(std::string_view name) const
{
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const LoadedMap& map) { return map.name == name; });
    return found == all_.end() ? nullptr : &*found;
}

int LoadedMaps::descriptor(std::string_view name) const
{
    const LoadedMap* const map = find(name);
    return map ? map->descriptor : -1;
}

const LoadedMap* LoadedMaps::section(std::string_view section) const
{
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const LoadedMap& map) { return map.name.ends_with(section); });
    return found == all_.end() ? nullptr : &*found;
}

} // namespace dt
