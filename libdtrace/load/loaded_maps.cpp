// Copies the descriptions of a loaded object's BPF maps, gives this process access to their memory, creates inner maps,
// and reads whole hashes.
#include "libdtrace/load/loaded_maps.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bpf-runtime/abi.h"

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

// Gives access to the memory of BPF arrays. The kernel places elements at multiples of eight bytes.

namespace {

/// Creates a memory file with these initial bytes. Returns its descriptor, or -1 with errno set.
int make_memory(std::span<const uint8_t> initial, std::size_t bytes)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const int descriptor = memfd_create("dtrace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>((bytes + page - 1) / page * page)) != 0)
        return descriptor;
    if (!initial.empty() && pwrite(descriptor, initial.data(), std::min(initial.size(), bytes), 0) < 0)
        return descriptor;
    fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
    return descriptor;
}

} // namespace

SharedMap::SharedMap(SharedMap&& other) noexcept
    : SharedMemory(std::move(other)), descriptor_(other.descriptor_), is_own_(std::exchange(other.is_own_, false))
{
}

SharedMap::~SharedMap()
{
    if (is_own_)
        close(descriptor_);
}

Result<void> SharedMap::open(const LoadedMap& map, std::size_t elements)
{
    const std::size_t element = (map.value_size + 7) / 8 * 8;
    descriptor_ = map.descriptor;
    is_own_ = descriptor_ < 0;
    if (is_own_)
        descriptor_ = make_memory(map.initial, element * elements);
    if (!SharedMemory::open(descriptor_, element * elements))
        return Error{"cannot map " + map.name + ": " + std::strerror(errno), errno};
    return {};
}

Result<void> SharedMap::make(std::size_t bytes)
{
    is_own_ = true;
    descriptor_ = make_memory({}, bytes);
    if (!SharedMemory::open(descriptor_, bytes))
        return Error{std::string("cannot make shared memory: ") + std::strerror(errno), errno};
    return {};
}

namespace {

/// Creates an empty overflow map of an aggregation, as an example inner map for the outer map. Returns -1 if the
/// aggregation has no overflow map.
int overflow_example(bpf_object* object, const AggregationSchema& aggregation)
{
    const bpf_map* first = bpf_object__find_map_by_name(object, aggregation.map.c_str());
    if (!first)
        return -1;
    LIBBPF_OPTS(bpf_map_create_opts, options);
    options.map_flags = bpf_map__map_flags(first) & BPF_F_NO_PREALLOC;
    const CpuElements elements(aggregation);
    return bpf_map_create(BPF_MAP_TYPE_HASH, "agg_overflow", elements.map_key_size(), elements.map_value_size(), 1,
                          &options);
}

} // namespace

int make_mmap_ring_map()
{
    LIBBPF_OPTS(bpf_map_create_opts, options);
    options.map_flags = BPF_F_MMAPABLE;
    return bpf_map_create(BPF_MAP_TYPE_ARRAY, "mmap_ring", sizeof(uint32_t), sizeof(dt_mmap_ring), 1, &options);
}

InnerMaps::InnerMaps(bpf_object* object, const Schema& schema)
{
    const auto show = [&](bpf_map* outer, int example) {
        if (example < 0)
            return; // if no example map could be created, loading fails later with an error that contains the reason
        bpf_map__set_inner_map_fd(outer, example);
        descriptors_.push_back(example);
    };
    for (const AggregationSchema& aggregation : schema.aggregations)
        if (bpf_map* outer = aggregation.overflow_map.empty()
                                 ? nullptr
                                 : bpf_object__find_map_by_name(object, aggregation.overflow_map.c_str()))
            show(outer, overflow_example(object, aggregation));
    if (bpf_map* outer = bpf_object__find_map_by_name(object, DT_MAP_MMAP_RINGS))
        show(outer, make_mmap_ring_map());
}

InnerMaps::~InnerMaps()
{
    for (const int descriptor : descriptors_)
        close(descriptor);
}

} // namespace dt

// Reads maps with batched lookups, or key by key if the kernel has no batched lookups.

namespace dt::consume {

namespace {

constexpr std::size_t kBatchBytes = 256 << 10;
constexpr std::size_t kMaxKeysOfBatch = 4096;
// Minimum number of keys in a batched lookup. A batch must have room for a whole hash bucket; if a bucket is larger,
// the batch is enlarged.
constexpr std::size_t kFewestKeysOfBatch = 4;

} // namespace

Result<void> MapReader::read(const MapShape& map, const Visit& visit)
{
    const auto batched = read_batches(map, visit);
    if (!batched)
        return batched.error();
    return batched.value() ? Result<void>() : read_one_by_one(map, visit);
}

Result<bool> MapReader::read_batches(const MapShape& map, const Visit& visit)
{
    const std::size_t bytes = map.value_size;
    std::size_t most = std::clamp(kBatchBytes / (map.key_size + bytes), kFewestKeysOfBatch, kMaxKeysOfBatch);
    std::vector<uint8_t> position(std::max<std::size_t>(map.key_size, 8)), next(position.size());
    bool started = false;
    for (;;) {
        keys_.resize(std::max(keys_.size(), most * map.key_size));
        values_.resize(std::max(values_.size(), most * bytes));
        auto count = static_cast<uint32_t>(most);
        const int failed = bpf_map_lookup_batch(map.descriptor, started ? position.data() : nullptr, next.data(),
                                                keys_.data(), values_.data(), &count, nullptr);
        const int code = failed != 0 ? errno : 0;
        // ENOSPC: a hash bucket contains more keys than fit into the batch, so the call has read nothing.
        if (code == ENOSPC && most < map.entries) {
            most *= 2;
            continue;
        }
        if (code != 0 && code != ENOENT) {
            if (!started && (code == EINVAL || code == EOPNOTSUPP || code == 524 /* ENOTSUPP of the kernel */))
                return false;
            return Error{"", code};
        }
        for (uint32_t i = 0; i < count; ++i)
            visit(keys_.data() + i * map.key_size, values_.data() + i * bytes);
        if (code == ENOENT) // ENOENT means that the batch has reached the end of the map
            return true;
        position.swap(next);
        started = true;
    }
}

Result<void> MapReader::read_one_by_one(const MapShape& map, const Visit& visit)
{
    values_.resize(std::max(values_.size(), map.value_size));
    std::vector<uint8_t> key(map.key_size), next(map.key_size);
    bool started = false;
    // If other code inserts keys meanwhile, the walk may visit entries that it has already visited. So the number of
    // steps is limited to the capacity of the map.
    for (uint32_t i = 0; i < map.entries; ++i) {
        if (bpf_map_get_next_key(map.descriptor, started ? key.data() : nullptr, next.data()) != 0) {
            if (errno == ENOENT)
                return {};
            return Error{"", errno};
        }
        if (bpf_map_lookup_elem(map.descriptor, next.data(), values_.data()) == 0)
            visit(next.data(), values_.data());
        key.swap(next);
        started = true;
    }
    return {};
}

void remove_keys(const MapShape& map, std::span<const uint8_t> keys)
{
    const std::size_t total = keys.size() / map.key_size;
    std::size_t done = 0;
    while (done < total) {
        auto count = static_cast<uint32_t>(total - done);
        const uint32_t asked = count;
        if (bpf_map_delete_batch(map.descriptor, keys.data() + done * map.key_size, &count, nullptr) == 0)
            return;
        // Either the kernel stopped at a missing key, or the kernel has no batched deletion. The key at this position
        // is deleted alone, and the loop continues after it.
        if (count >= asked)
            count = 0;
        done += count;
        bpf_map_delete_elem(map.descriptor, keys.data() + done * map.key_size);
        ++done;
    }
}

} // namespace dt::consume
