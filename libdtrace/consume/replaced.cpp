// The kernel does not count evictions. But programs count the elements that they create and delete. An element that was
// not deleted and no longer exists was evicted.
#include "libdtrace/consume/replaced.hpp"

#include <linux/bpf.h>

#include <cstring>
#include <string>

#include "bpf-runtime/account.h"
#include "bpf-runtime/thread_context.h"
#include "libdtrace/consume/map_reader.hpp"
#include "libdtrace/load/loaded_maps.hpp"

namespace dt::consume {

namespace {

template <typename IsCounted> Result<uint64_t> elements_of(const LoadedMaps& maps, const IsCounted& is_counted)
{
    uint64_t count = 0;
    MapReader reader;
    for (const LoadedMap& map : maps) {
        if (!is_counted(map))
            continue;
        const MapShape shape{map.descriptor, map.key_size, (map.value_size + 7u) / 8 * 8, map.max_entries};
        const Result<void> read = reader.read(shape, [&](const uint8_t*, const uint8_t*) { ++count; });
        if (!read)
            return Error{std::string("cannot read dynamic variables: ") + std::strerror(read.error().code),
                         read.error().code};
    }
    return count;
}

} // namespace

Result<uint64_t> elements_there(const LoadedMaps& maps)
{
    // Programs do not count their insertions into the maps of histories and of known processes.
    return elements_of(maps, [](const LoadedMap& map) {
        return map.type == BPF_MAP_TYPE_LRU_HASH && map.name != DT_MAP_HISTORY && map.name != DT_MAP_CONTEXT_PROCESSES;
    });
}

Result<uint64_t> requests_there(const LoadedMaps& maps)
{
    return elements_of(maps, [](const LoadedMap& map) { return map.name == DT_MAP_REQUESTS; });
}

} // namespace dt::consume
