#include "libdtrace/consume/aggregate_store.hpp"

#include <algorithm>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstring>

namespace dt::consume {

namespace {

constexpr std::size_t kBatchBytes = 1 << 20;
constexpr std::size_t kMostKeysOfBatch = 4096;
constexpr std::size_t kFewestKeysOfBatch = 64; // a hash bucket must fit into one batch

Error cannot_read(const AggregationSchema& schema, int code)
{
    return Error{"cannot read aggregation @" + schema.name + ": " + std::strerror(code), code};
}

} // namespace

Result<void> KernelAggregations::open(bpf_object* object, const std::vector<AggregationSchema>& schemas)
{
    cpus_ = static_cast<uint32_t>(std::max(libbpf_num_possible_cpus(), 1));
    for (const AggregationSchema& schema : schemas) {
        bpf_map* found = bpf_object__find_map_by_name(object, schema.map.c_str());
        if (!found)
            return Error{"BPF program content is invalid: no map " + schema.map, ENOENT};
        Map map;
        map.descriptor = bpf_map__fd(found);
        map.key_size = bpf_map__key_size(found);
        map.stride = (bpf_map__value_size(found) + 7) / 8 * 8;
        map.entries = bpf_map__max_entries(found);
        map.by_cpu = bpf_map__type(found) == BPF_MAP_TYPE_ARRAY;
        const std::size_t wanted = schema.words * sizeof(int64_t);
        const bool fits = schema.key_size != 0 ? map.key_size == schema.key_size && map.stride >= wanted
                                               : map.stride >= schema.offset + sizeof(uint64_t) + wanted;
        if (!fits)
            return Error{"Data record offset exceeds buffer boundary", EINVAL};
        maps_.push_back(map);
    }
    return {};
}

Result<void> KernelAggregations::read(const AggregationSchema& schema, const Visit& visit)
{
    const Map& map = maps_[schema.id];
    if (schema.key_size == 0)
        return read_unkeyed(schema, map, visit);
    auto batched = read_batches(map, visit);
    if (!batched)
        return cannot_read(schema, batched.error().code);
    if (batched.value())
        return {};
    if (Result<void> read = read_one_by_one(map, visit); !read)
        return cannot_read(schema, read.error().code);
    return {};
}

Result<void> KernelAggregations::read_unkeyed(const AggregationSchema& schema, const Map& map, const Visit& visit)
{
    values_.resize(std::max(values_.size(), map.stride * cpus_));
    for (uint32_t index = 0; index < (map.by_cpu ? cpus_ : 1); ++index)
        if (bpf_map_lookup_elem(map.descriptor, &index, values_.data() + index * map.stride) != 0)
            return cannot_read(schema, errno);
    visit(nullptr, values_.data() + schema.offset, map.stride);
    return {};
}

Result<bool> KernelAggregations::read_batches(const Map& map, const Visit& visit)
{
    const std::size_t bytes = map.stride * cpus_;
    std::size_t most = std::clamp(kBatchBytes / bytes, kFewestKeysOfBatch, kMostKeysOfBatch);
    std::vector<uint8_t> position(std::max<std::size_t>(map.key_size, 8)), next(position.size());
    bool started = false;
    for (;;) {
        keys_.resize(std::max(keys_.size(), most * map.key_size));
        values_.resize(std::max(values_.size(), most * bytes));
        auto count = static_cast<uint32_t>(most);
        const int failed = bpf_map_lookup_batch(map.descriptor, started ? position.data() : nullptr, next.data(), keys_.data(),
                                                values_.data(), &count, nullptr);
        const int code = failed != 0 ? errno : 0;
        if (code == ENOSPC && most < map.entries) { // one hash bucket holds more: nothing was read
            most *= 2;
            continue;
        }
        if (code != 0 && code != ENOENT) {
            if (!started && (code == EINVAL || code == EOPNOTSUPP || code == 524 /* ENOTSUPP of the kernel */))
                return false;
            return Error{"", code};
        }
        for (uint32_t i = 0; i < count; ++i)
            visit(keys_.data() + i * map.key_size, values_.data() + i * bytes, map.stride);
        if (code == ENOENT) // that was the last one
            return true;
        position.swap(next);
        started = true;
    }
}

Result<void> KernelAggregations::read_one_by_one(const Map& map, const Visit& visit)
{
    values_.resize(std::max(values_.size(), map.stride * cpus_));
    std::vector<uint8_t> key(map.key_size), next(map.key_size);
    bool started = false;
    // A map that others add keys to may be walked in circles: it never has more keys than entries.
    for (uint32_t i = 0; i < map.entries; ++i) {
        if (bpf_map_get_next_key(map.descriptor, started ? key.data() : nullptr, next.data()) != 0) {
            if (errno == ENOENT)
                return {};
            return Error{"", errno};
        }
        if (bpf_map_lookup_elem(map.descriptor, next.data(), values_.data()) == 0)
            visit(next.data(), values_.data(), map.stride);
        key.swap(next);
        started = true;
    }
    return {};
}

void KernelAggregations::remove(const AggregationSchema& schema, std::span<const uint8_t> keys)
{
    const Map& map = maps_[schema.id];
    const std::size_t total = keys.size() / map.key_size;
    std::size_t done = 0;
    while (done < total) {
        auto count = static_cast<uint32_t>(total - done);
        const uint32_t asked = count;
        if (bpf_map_delete_batch(map.descriptor, keys.data() + done * map.key_size, &count, nullptr) == 0)
            return;
        // It stops at a key that is gone already, or does not work at all: take that key alone and go on.
        if (count >= asked)
            count = 0;
        done += count;
        bpf_map_delete_elem(map.descriptor, keys.data() + done * map.key_size);
        ++done;
    }
}

void KernelAggregations::zero(const AggregationSchema& schema)
{
    const Map& map = maps_[schema.id];
    values_.resize(std::max(values_.size(), map.stride * cpus_));
    const uint32_t elements = map.by_cpu ? cpus_ : 1;
    for (uint32_t index = 0; index < elements; ++index)
        if (bpf_map_lookup_elem(map.descriptor, &index, values_.data() + index * map.stride) != 0)
            return;
    for (uint32_t cpu = 0; cpu < cpus_; ++cpu)
        std::memset(values_.data() + cpu * map.stride + schema.offset, 0, sizeof(uint64_t) + schema.words * sizeof(int64_t));
    for (uint32_t index = 0; index < elements; ++index)
        bpf_map_update_elem(map.descriptor, &index, values_.data() + index * map.stride, BPF_ANY);
}

} // namespace dt::consume
