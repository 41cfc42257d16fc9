// Told before anything is loaded, in the words of the options.
#include "dcompiler/capacity.hpp"

#include <cerrno>

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

Result<void> check_capacity(const lower::Lowered& lowered, const Options& options, uint32_t cpus)
{
    bool fits = true;
    for (const AggregationSchema& aggregation : lowered.schema.aggregations)
        fits = fits && (aggregation.key_size ? aggregation.key_size + uint64_t{aggregation.words} * 8 <= options.aggsize
                                             : options.aggsize != 0); // one without keys is in no hash
    for (const ir::Map& map : lowered.module.maps)                    // hashes that are not per-CPU hold associative arrays and thread-local variables
        fits = fits && (map.type != ir::bpf::kMapHash || uint64_t{map.key_size} + map.value_size <= options.dynvarsize);
    if (!fits)
        return Error{"Enabling exceeds size of buffer", ENOBUFS};
    if (options.memlimit && bytes_from_the_start(lowered.module, cpus) > *options.memlimit)
        return Error{"Enabling exceeds memory limit", ENOBUFS};
    return {};
}

} // namespace dt
