#include "libdtrace/postmortem/dumped_aggregations.hpp"

#include <linux/bpf.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace dt::postmortem {
namespace {

constexpr std::size_t kMostCpusOfDump = 1 << 13;
constexpr uint64_t kMostElements = 1 << 24; // limit for a hash, over all buckets
constexpr std::size_t kMostValue = 1 << 20; // bytes of a value

std::size_t round_to_word(std::size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/// Returns whether a key belongs to the aggregation. Keys of a shared map begin with the id of their aggregation.
bool is_of(const AggregationSchema& schema, std::span<const uint8_t> key)
{
    uint64_t id = schema.id;
    if (schema.shared)
        std::memcpy(&id, key.data(), std::min(sizeof id, key.size()));
    return id == schema.id;
}

/// Returns the offset of each possible CPU's per-CPU area, or an empty list if the dump does not contain them.
std::vector<uint64_t> read_cpu_offsets(const DumpedKernel& kernel)
{
    const uint64_t at = kernel.symbol("__per_cpu_offset"), count_at = kernel.symbol("nr_cpu_ids");
    uint32_t count = 0;
    if (at == 0 || count_at == 0 || !kernel.dump().read_as(count_at, count) || count > kMostCpusOfDump)
        return {};
    std::vector<uint64_t> offsets(count);
    const bool is_there =
        kernel.dump().read(at, {reinterpret_cast<uint8_t*>(offsets.data()), count * sizeof(uint64_t)});
    return is_there ? offsets : std::vector<uint64_t>();
}

} // namespace

DumpedAggregations::DumpedAggregations(const DumpedKernel& kernel, MapsOfTrace maps)
    : kernel_(kernel), maps_(std::move(maps)), offsets_(read_cpu_offsets(kernel))
{
}

Result<void> DumpedAggregations::read(const AggregationSchema& schema, const Visit& visit)
{
    bool is_whole = !offsets_.empty();
    const auto read_from = [&](const std::string& name, auto how) {
        const DumpedMap* const map = name.empty() ? nullptr : maps_.by_name(name);
        is_whole &= name.empty() || (map && map->value_size <= kMostValue && how(*map));
    };
    read_from(schema.map, [&](const DumpedMap& map) {
        return schema.key_size != 0 ? read_hash(schema, map, schema.key_size, visit) : read_array(schema, map, visit);
    });
    read_from(schema.brief, [&](const DumpedMap& map) { return read_hash(schema, map, schema.brief_size, visit); });
    read_from(schema.more, [&](const DumpedMap& map) { return read_overflow(schema, map, visit); });
    if (!is_whole && told_.insert(schema.id).second)
        unread_.push_back("@" + schema.name);
    return {};
}

/// Reads the value of each CPU.
bool DumpedAggregations::read_per_cpu(uint64_t of, std::size_t stride, std::vector<uint8_t>& values)
{
    values.assign(stride * offsets_.size(), 0);
    for (std::size_t cpu = 0; cpu < offsets_.size(); ++cpu)
        if (!kernel_.dump().read(of + offsets_[cpu], std::span(values).subspan(cpu * stride, stride)))
            return false;
    return true;
}

bool DumpedAggregations::read_array(const AggregationSchema& schema, const DumpedMap& map, const Visit& visit)
{
    const std::size_t stride = round_to_word(map.value_size);
    const std::size_t wanted = schema.offset + sizeof(uint64_t) * (1 + std::size_t{schema.words});
    const auto elements = kernel_.offset("bpf_array", "value");
    if (stride < wanted || !elements)
        return false;
    std::vector<uint8_t> values;
    if (map.type == BPF_MAP_TYPE_ARRAY) { // one element per CPU
        values.resize(stride * std::min<std::size_t>(map.entries, offsets_.size()));
        if (values.size() < stride * offsets_.size() || !kernel_.dump().read(map.address + *elements, values))
            return false;
    } else {
        uint64_t first = 0;
        if (!kernel_.dump().read_as(map.address + *elements, first) || !read_per_cpu(first, stride, values))
            return false;
    }
    visit(nullptr, values.data() + schema.offset, stride);
    return true;
}

/// Calls `handle` for each element of a hash. Each bucket has a linked list, whose end is an odd number instead of a
/// pointer.
bool DumpedAggregations::for_each_element(const DumpedMap& map, const std::function<bool(uint64_t element)>& handle)
{
    const auto buckets_at = kernel_.offset("bpf_htab", "buckets"), count_at = kernel_.offset("bpf_htab", "n_buckets"),
               head_at = kernel_.offset("bucket", "head"), next_at = kernel_.offset("htab_elem", "hash_node");
    const auto bucket_size = kernel_.size("bucket");
    uint64_t buckets = 0;
    uint32_t count = 0;
    if (!buckets_at || !count_at || !head_at || !next_at || !bucket_size ||
        !kernel_.dump().read_as(map.address + *buckets_at, buckets) ||
        !kernel_.dump().read_as(map.address + *count_at, count))
        return false;
    uint64_t elements = 0;
    bool is_whole = true;
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t element = 1;
        is_whole &= kernel_.dump().read_as(buckets + i * *bucket_size + *head_at, element);
        while ((element & 1) == 0 && element != 0 && ++elements < kMostElements) {
            is_whole &= handle(element);
            if (!kernel_.dump().read_as(element + *next_at, element))
                return false;
        }
    }
    return is_whole && elements < kMostElements;
}

bool DumpedAggregations::read_hash(const AggregationSchema& schema, const DumpedMap& map, uint32_t key_size,
                                   const Visit& visit)
{
    return map.key_size == key_size && map.value_size >= schema.words * sizeof(int64_t) &&
           for_each_element(map, [&](uint64_t element) { return read_element(schema, map, element, visit); });
}

/// Reads the overflow hash, the only element of an array of maps, if it exists. Its keys end with the CPU.
bool DumpedAggregations::read_overflow(const AggregationSchema& schema, const DumpedMap& outer, const Visit& visit)
{
    const auto elements = kernel_.offset("bpf_array", "ptrs"), key_at = kernel_.offset("htab_elem", "key");
    uint64_t inner = 0;
    if (!elements || !key_at || !kernel_.dump().read_as(outer.address + *elements, inner))
        return false;
    const DumpedMap* const map = maps_.at_address(inner);
    const std::size_t size = schema.words * sizeof(int64_t);
    if (inner == 0)
        return true;
    if (!map || map->key_size != schema.key_size + sizeof(uint64_t) || map->value_size != size)
        return false;
    std::vector<uint8_t> key(map->key_size), values(size * offsets_.size());
    return for_each_element(*map, [&](uint64_t element) {
        uint64_t cpu = 0;
        if (!kernel_.dump().read(element + *key_at, key))
            return false;
        std::memcpy(&cpu, key.data() + schema.key_size, sizeof cpu);
        const uint64_t value = element + *key_at + round_to_word(map->key_size);
        if (cpu >= offsets_.size() || !kernel_.dump().read(value, std::span(values).subspan(cpu * size, size)))
            return false;
        if (is_of(schema, key))
            visit(key.data(), values.data(), size);
        std::memset(values.data() + cpu * size, 0, size);
        return true;
    });
}

/// Reads an element: the key, followed by the address of the values. A brief key is padded with zeros.
bool DumpedAggregations::read_element(const AggregationSchema& schema, const DumpedMap& map, uint64_t element,
                                      const Visit& visit)
{
    const auto key_at = kernel_.offset("htab_elem", "key");
    const std::size_t stride = round_to_word(map.value_size);
    std::vector<uint8_t> key(schema.key_size, 0), values;
    uint64_t first = 0;
    if (!key_at || !kernel_.dump().read(element + *key_at, std::span(key).first(map.key_size)) ||
        !kernel_.dump().read_as(element + *key_at + round_to_word(map.key_size), first) ||
        !read_per_cpu(first, stride, values))
        return false;
    if (is_of(schema, key))
        visit(key.data(), values.data(), stride);
    return true;
}

} // namespace dt::postmortem
