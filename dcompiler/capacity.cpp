// Told before anything is loaded, in the words of the options.
#include "dcompiler/capacity.hpp"

#include <algorithm>
#include <cerrno>

#include "bpf-runtime/abi.h"
#include "dcompiler/ir/bpf.hpp"

namespace dt {

namespace {

/// What is there before the first event: data and arrays. Hashes grow, up to the limit.
uint64_t bytes_from_the_start(const ir::Module& module, uint32_t cpus)
{
    uint64_t bytes = 0;
    for (const ir::Data& data : module.data)
        bytes += data.size;
    for (const ir::Map& map : module.maps) {
        const uint64_t values = uint64_t{map.value_size} * map.max_entries;
        if (map.type == ir::bpf::kMapArray)
            bytes += values;
        else if (map.type == ir::bpf::kMapPercpuArray)
            bytes += values * cpus;
    }
    return bytes;
}

} // namespace

Result<void> check_capacity(const lower::Lowered& lowered, const CompileOptions& options, uint32_t cpus)
{
    // What has room for less than an element drops them all, and that is counted; none at all is a mistake.
    const auto& maps =
        lowered.module.maps; // hashes that are not per-CPU hold associative arrays and thread-local variables
    const bool has_dynamic = std::any_of(maps.begin(), maps.end(), [](const ir::Map& map) {
        return map.type == ir::bpf::kMapLruHash || (map.type == ir::bpf::kMapHash && map.name != DT_MAP_FOLLOWED);
    });
    if ((options.aggsize == 0 && !lowered.schema.aggregations.empty()) || (options.dynvarsize == 0 && has_dynamic))
        return Error{"Enabling exceeds size of buffer", ENOBUFS};
    if (options.memlimit && bytes_from_the_start(lowered.module, cpus) > *options.memlimit)
        return Error{"Enabling exceeds memory limit", ENOBUFS};
    return {};
}

} // namespace dt
