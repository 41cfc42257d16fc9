// Checks sizes before loading, so that messages can name the options.
#include "dcompiler/capacity.hpp"

#include <algorithm>
#include <cerrno>

#include "bpf-runtime/abi.h"
#include "dcompiler/ir/bpf.hpp"

namespace dt {

namespace {

/// Returns the bytes of data and arrays, which are allocated at load time. Hashes grow up to their limit.
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
    // A size below one element drops all elements, which is counted. A size of 0 is an error.
    const auto& maps =
        lowered.module.maps; // hashes that are not per-CPU contain associative arrays and thread-local variables
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
