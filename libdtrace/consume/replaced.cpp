// The kernel counts no element that it replaces. But programs count each one that they make or delete, and what is
// neither deleted nor there has been replaced.
#include "libdtrace/consume/replaced.hpp"

#include <bpf/libbpf.h>
#include <cstring>
#include <string>

#include "bpf-runtime/account.h"
#include "libdtrace/consume/map_reader.hpp"

namespace dt::consume {

namespace {

template <typename IsCounted> Result<uint64_t> elements_of(bpf_object* object, const IsCounted& is_counted)
{
    uint64_t count = 0;
    MapReader reader;
    bpf_map* map = nullptr;
    bpf_object__for_each_map(map, object)
    {
        if (!is_counted(map))
            continue;
        const MapShape shape{bpf_map__fd(map), bpf_map__key_size(map), (bpf_map__value_size(map) + 7u) / 8 * 8,
                             bpf_map__max_entries(map)};
        const Result<void> read = reader.read(shape, [&](const uint8_t*, const uint8_t*) { ++count; });
        if (!read)
            return Error{std::string("cannot read dynamic variables: ") + std::strerror(read.error().code),
                         read.error().code};
    }
    return count;
}

} // namespace

Result<uint64_t> elements_there(bpf_object* object)
{
    return elements_of(object, [](const bpf_map* map) { return bpf_map__type(map) == BPF_MAP_TYPE_LRU_HASH; });
}

Result<uint64_t> requests_there(bpf_object* object)
{
    return elements_of(object,
                       [](const bpf_map* map) { return std::strcmp(bpf_map__name(map), DT_MAP_REQUESTS) == 0; });
}

} // namespace dt::consume
