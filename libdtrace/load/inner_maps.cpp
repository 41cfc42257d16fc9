#include "libdtrace/load/inner_maps.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include "bpf-runtime/abi.h"

namespace dt {

namespace {

/// Creates an example of the aggregation's overflow map, or returns -1 if it has none.
int overflow_example(bpf_object* object, const AggregationSchema& aggregation)
{
    const bpf_map* first = bpf_object__find_map_by_name(object, aggregation.map.c_str());
    if (!first)
        return -1;
    LIBBPF_OPTS(bpf_map_create_opts, options);
    options.map_flags = bpf_map__map_flags(first) & BPF_F_NO_PREALLOC;
    return bpf_map_create(BPF_MAP_TYPE_HASH, "agg_overflow", aggregation.key_size + sizeof(uint64_t),
                          aggregation.words * sizeof(int64_t), 1, &options);
}

} // namespace

int make_lane_map()
{
    LIBBPF_OPTS(bpf_map_create_opts, options);
    options.map_flags = BPF_F_MMAPABLE;
    return bpf_map_create(BPF_MAP_TYPE_ARRAY, "lane", sizeof(uint32_t), sizeof(dt_lane), 1, &options);
}

InnerMaps::InnerMaps(bpf_object* object, const Schema& schema)
{
    const auto show = [&](bpf_map* outer, int example) {
        if (example < 0)
            return; // no example: loading reports the reason
        bpf_map__set_inner_map_fd(outer, example);
        descriptors_.push_back(example);
    };
    for (const AggregationSchema& aggregation : schema.aggregations)
        if (bpf_map* outer =
                aggregation.more.empty() ? nullptr : bpf_object__find_map_by_name(object, aggregation.more.c_str()))
            show(outer, overflow_example(object, aggregation));
    if (bpf_map* outer = bpf_object__find_map_by_name(object, DT_MAP_LANES))
        show(outer, make_lane_map());
}

InnerMaps::~InnerMaps()
{
    for (const int descriptor : descriptors_)
        close(descriptor);
}

} // namespace dt
