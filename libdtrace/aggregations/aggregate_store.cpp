// Reads and clears the kernel's aggregation maps, and replaces an overflow map by a larger one while programs write to
// it.
#include "libdtrace/aggregations/aggregate_store.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "base/phase_times.hpp"
#include "bpf-runtime/abi.h"
#include "libdtrace/load/map_sizes.hpp"

namespace dt::consume {

namespace {

Error cannot_read(const AggregationSchema& schema, int code)
{
    return Error{"cannot read aggregation @" + schema.name + ": " + std::strerror(code), code};
}

/// Returns whether programs store the key in the map for short keys. They do if all words after the first
/// short_key_size bytes are 0. It is enough to check the first of these words: if it is 0, all later words are 0 too.
bool is_short_key(const uint8_t* key, const AggregationSchema& schema)
{
    uint64_t next = 0;
    std::memcpy(&next, key + schema.short_key_size, sizeof next);
    return next == 0;
}

} // namespace

Result<void> KernelAggregations::open(const LoadedMaps& maps, const std::vector<AggregationSchema>& schemas,
                                      const uint64_t* inserted, uint64_t limit)
{
    cpus_ = static_cast<uint32_t>(std::max(libbpf_num_possible_cpus(), 1));
    for (const AggregationSchema& schema : schemas) {
        const LoadedMap* found = maps.find(schema.map);
        if (!found)
            return Error{"BPF program content is invalid: no map " + schema.map, ENOENT};
        Map map;
        map.descriptor = found->descriptor;
        is_absent_ |= map.descriptor < 0;
        map.key_size = found->key_size;
        map.stride = (found->value_size + 7) / 8 * 8;
        map.value_size = map.stride * (schema.digested ? 1 : cpus_);
        map.entries = found->max_entries;
        map.by_cpu = found->type == BPF_MAP_TYPE_ARRAY;
        const std::size_t wanted = schema.words * sizeof(int64_t);
        const CpuElements elements(schema);
        const bool fits = schema.digested
                              ? map.key_size == elements.map_key_size() && map.stride == elements.map_value_size()
                          : schema.key_size != 0 ? map.key_size == schema.key_size && map.stride >= wanted
                                                 : map.stride >= schema.offset + sizeof(uint64_t) + wanted;
        if (!fits)
            return Error{"Data record offset exceeds buffer boundary", EINVAL};
        maps_.push_back(map);
        if (Result<void> opened = open_short_keys(maps, schema); !opened)
            return opened;
        overflows_.emplace_back();
        outer_maps_.push_back(schema.overflow_map);
        if (is_drained_)
            overflows_.back().enable_draining();
        if (!schema.overflow_map.empty() && inserted && !is_absent_)
            overflows_.back().open(maps, schema, inserted + schema.id, limit);
    }
    return {};
}

Result<void> KernelAggregations::open_short_keys(const LoadedMaps& maps, const AggregationSchema& schema)
{
    Map& map = short_keys_.emplace_back();
    if (schema.short_keys_map.empty())
        return {};
    const LoadedMap* found = maps.find(schema.short_keys_map);
    if (!found || found->key_size != schema.short_key_size || found->value_size != schema.words * sizeof(int64_t))
        return Error{"BPF program content is invalid: no map " + schema.short_keys_map, ENOENT};
    map = maps_.back();
    map.descriptor = found->descriptor;
    map.stride = found->value_size;
    map.value_size = map.stride * cpus_;
    map.key_size = schema.short_key_size;
    map.entries = found->max_entries;
    return {};
}

bool KernelAggregations::needs_growth() const
{
    return std::any_of(overflows_.begin(), overflows_.end(),
                       [](const AggregationOverflow& overflow) { return overflow.needs_growth(); });
}

void KernelAggregations::grow()
{
    // If growing fails, the map's size is unchanged, and keys that do not fit are counted as drops.
    for (AggregationOverflow& overflow : overflows_)
        if (overflow.needs_growth())
            static_cast<void>(overflow.grow());
}

std::map<std::string, uint64_t> KernelAggregations::overflow_memory() const
{
    std::map<std::string, uint64_t> bytes;
    for (std::size_t i = 0; i < overflows_.size(); ++i)
        bytes[outer_maps_[i]] += overflows_[i].memory();
    return bytes;
}

Result<void> KernelAggregations::read(const AggregationSchema& schema, const Visit& visit)
{
    const Map& map = maps_[schema.id];
    if (is_absent_ && schema.key_size != 0)
        return {};
    if (schema.key_size == 0)
        return read_unkeyed(schema, map, visit);
    Map& short_keys_map = short_keys_[schema.id];
    if (short_keys_map.key_size == 0) {
        if (Result<void> read = read_map(schema, map, visit); !read)
            return read;
        return read_overflow(schema, visit);
    }
    short_keys_map.has_others = false;
    Result<void> read = read_map(schema, map, [&](const uint8_t* key, const uint8_t* values, std::size_t stride) {
        short_keys_map.has_others |= is_short_key(key, schema);
        visit(key, values, stride);
    });
    if (!read)
        return read;
    std::vector<uint8_t> whole(schema.key_size, 0);
    read =
        read_per_cpu_hash(schema, short_keys_map, [&](const uint8_t* key, const uint8_t* values, std::size_t stride) {
            std::memcpy(whole.data(), key, short_keys_map.key_size);
            visit(whole.data(), values, stride);
        });
    if (!read)
        return read;
    return read_overflow(schema, visit);
}

Result<void> KernelAggregations::read_shared(const AggregationSchema& schema, const Map& map, const Visit& visit)
{
    const auto [known, is_new] = shared_.try_emplace(map.descriptor);
    Shared& by_id = known->second;
    const Result<void> read =
        !is_new ? Result<void>() : reader_.read(map, [&](const uint8_t* key, const uint8_t* values) {
            uint64_t id = 0;
            std::memcpy(&id, key, sizeof id);
            std::vector<uint8_t>& entries = by_id[id];
            entries.insert(entries.end(), key, key + map.key_size);
            entries.insert(entries.end(), values, values + map.value_size);
        });
    if (!read) {
        shared_.erase(known);
        return cannot_read(schema, read.error().code);
    }
    const auto mine = by_id.find(schema.id);
    const std::size_t size = map.key_size + map.value_size, bytes = mine != by_id.end() ? mine->second.size() : 0;
    for (std::size_t at = 0; at < bytes; at += size)
        visit(mine->second.data() + at, mine->second.data() + at + map.key_size, map.stride);
    return {};
}

Result<void> KernelAggregations::read_map(const AggregationSchema& schema, const Map& map, const Visit& visit)
{
    if (schema.digested)
        return read_digested(schema, map, visit);
    return settled_ && schema.shared ? read_shared(schema, map, visit) : read_per_cpu_hash(schema, map, visit);
}

Result<void> KernelAggregations::read_per_cpu_hash(const AggregationSchema& schema, const Map& map, const Visit& visit)
{
    const Result<void> read = reader_.read(map, [&](const uint8_t* key, const uint8_t* values) {
        uint64_t id = schema.id;
        if (schema.shared)
            std::memcpy(&id, key, sizeof id);
        if (id == schema.id)
            visit(key, values, map.stride);
    });
    return read ? read : cannot_read(schema, read.error().code);
}

/// Returns a function for one CPU's words of a key. It calls `visit` with these words, and with zeros for all other
/// CPUs.
AggregationOverflow::Visit KernelAggregations::visit_of_cpu(const AggregationSchema& schema, const Visit& visit)
{
    const std::size_t size = schema.words * sizeof(int64_t);
    values_.assign(size * cpus_, 0);
    return [this, size, &visit](const uint8_t* key, uint32_t cpu, const uint8_t* words) {
        if (cpu >= cpus_)
            return;
        std::memcpy(values_.data() + cpu * size, words, size);
        visit(key, values_.data(), size);
        std::memset(values_.data() + cpu * size, 0, size);
    };
}

/// Reads the map of an aggregation with long keys, whose elements are found by digests (hashes) of the keys. In a
/// shared map, each key begins with the id of its aggregation.
Result<void> KernelAggregations::read_digested(const AggregationSchema& schema, const Map& map, const Visit& visit)
{
    const CpuElements elements(schema);
    const AggregationOverflow::Visit visit_cpu = visit_of_cpu(schema, visit);
    const Result<void> read = reader_.read(map, [&](const uint8_t* map_key, const uint8_t* value) {
        uint64_t id = schema.id;
        if (schema.shared)
            std::memcpy(&id, elements.key(map_key, value), sizeof id);
        if (id == schema.id)
            visit_cpu(elements.key(map_key, value), static_cast<uint32_t>(elements.cpu(map_key)),
                      elements.words(value));
    });
    return read ? read : cannot_read(schema, read.error().code);
}

Result<void> KernelAggregations::read_overflow(const AggregationSchema& schema, const Visit& visit)
{
    const Result<void> read = overflows_[schema.id].read(visit_of_cpu(schema, visit));
    return read ? read : cannot_read(schema, read.error().code);
}

Result<void> KernelAggregations::read_unkeyed(const AggregationSchema& schema, const Map& map, const Visit& visit)
{
    values_.resize(std::max(values_.size(), map.value_size));
    std::fill(values_.begin(), values_.end(), uint8_t{0});
    for (uint32_t index = 0; !is_absent_ && index < (map.by_cpu ? cpus_ : 1); ++index)
        if (bpf_map_lookup_elem(map.descriptor, &index, values_.data() + index * map.stride) != 0)
            return cannot_read(schema, errno);
    visit(nullptr, values_.data() + schema.offset, map.stride);
    return {};
}

/// Removes keys from the map that stores keys of any length. If the map is indexed by digests (hashes), the full keys
/// are in the values, so all values are searched.
void KernelAggregations::remove_whole(const AggregationSchema& schema, std::span<const uint8_t> keys)
{
    const Map& map = maps_[schema.id];
    if (!schema.digested || keys.empty())
        return remove_keys(map, keys);
    std::unordered_set<std::string_view> wanted;
    for (std::size_t at = 0; at < keys.size(); at += schema.key_size)
        wanted.emplace(reinterpret_cast<const char*>(keys.data()) + at, schema.key_size);
    const CpuElements elements(schema);
    std::vector<uint8_t> found;
    // If reading fails, the keys that were not visited stay in the map.
    static_cast<void>(reader_.read(map, [&](const uint8_t* map_key, const uint8_t* value) {
        if (wanted.count({reinterpret_cast<const char*>(elements.key(map_key, value)), schema.key_size}) != 0)
            found.insert(found.end(), map_key, map_key + map.key_size);
    }));
    remove_keys(map, found);
}

void KernelAggregations::remove(const AggregationSchema& schema, std::span<const uint8_t> keys)
{
    if (is_absent_)
        return;
    const Map& short_keys_map = short_keys_[schema.id];
    shared_.erase(maps_[schema.id].descriptor);
    if (short_keys_map.key_size == 0)
        return remove_whole(schema, keys);
    std::vector<uint8_t> longer, shorter;
    for (std::size_t at = 0; at < keys.size(); at += schema.key_size) {
        const auto key = keys.subspan(at, schema.key_size);
        const bool is_short = is_short_key(key.data(), schema);
        if (is_short)
            shorter.insert(shorter.end(), key.begin(),
                           key.begin() + static_cast<std::ptrdiff_t>(short_keys_map.key_size));
        // Keys that cannot be in the map of long keys are skipped here, because each removal costs a system call.
        if (!is_short || short_keys_map.has_others)
            longer.insert(longer.end(), key.begin(), key.end());
    }
    remove_whole(schema, longer);
    remove_keys(short_keys_map, shorter);
}

void KernelAggregations::keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept)
{
    overflows_[schema.id].keep_only(kept);
}

void KernelAggregations::zero(const AggregationSchema& schema)
{
    if (is_absent_)
        return;
    const Map& map = maps_[schema.id];
    values_.resize(std::max(values_.size(), map.value_size));
    const uint32_t elements = map.by_cpu ? cpus_ : 1;
    for (uint32_t index = 0; index < elements; ++index)
        if (bpf_map_lookup_elem(map.descriptor, &index, values_.data() + index * map.stride) != 0)
            return;
    for (uint32_t cpu = 0; cpu < cpus_; ++cpu)
        std::memset(values_.data() + cpu * map.stride + schema.offset, 0,
                    sizeof(uint64_t) + schema.words * sizeof(int64_t));
    for (uint32_t index = 0; index < elements; ++index)
        bpf_map_update_elem(map.descriptor, &index, values_.data() + index * map.stride, BPF_ANY);
}

// Replaces an aggregation's overflow map by a larger one while BPF programs write to it.

namespace {

// Number of entries of the first overflow map, whose buckets need 2 MiB. Even a burst of new keys needs some ten
// milliseconds to fill so many entries, so there is time to replace the map by a larger one.
constexpr uint32_t kFirstEntries = 1 << 17;
// Maximum size in bytes of the first overflow map, if the kernel allocates its entries in advance.
constexpr uint64_t kMaxFirstBytes = 32 << 20;
constexpr uint32_t kGrowth = 16;
// The map grows when an eighth of its entries are used, so that new keys still find room while it is being replaced.
constexpr uint32_t kFullness = 8;
// Bytes that the kernel needs for each element besides key and value: header, bucket, and overhead of the allocator.
constexpr uint64_t kEntryOverhead = 80;

/// Returns how many elements of `entry` bytes each fit into `limit` bytes.
uint32_t max_overflow_entries(uint64_t limit, std::size_t entry)
{
    return static_cast<uint32_t>(std::clamp<uint64_t>(limit / (entry + kEntryOverhead), 1, 1u << 30));
}

/// Returns the number of entries of the first overflow map, of `entry` bytes each. `flags` are the map's flags.
uint32_t first_overflow_entries(uint64_t limit, std::size_t entry, uint32_t flags)
{
    const uint64_t bytes = flags & BPF_F_NO_PREALLOC ? limit : std::min(limit, kMaxFirstBytes);
    return std::min(kFirstEntries, max_overflow_entries(bytes, entry));
}

uint32_t next_overflow_entries(uint32_t entries, uint32_t most)
{
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{entries} * kGrowth, most));
}

} // namespace

std::vector<uint32_t> overflow_sizes(const AggregationSchema& schema, uint64_t limit, uint32_t flags)
{
    const CpuElements elements(schema);
    const std::size_t entry = std::size_t{elements.map_key_size()} + elements.map_value_size();
    const uint32_t most = max_overflow_entries(limit, entry);
    std::vector<uint32_t> sizes = {first_overflow_entries(limit, entry, flags)};
    while (sizes.back() < most)
        sizes.push_back(next_overflow_entries(sizes.back(), most));
    return sizes;
}

AggregationOverflow::~AggregationOverflow()
{
    if (placing_.joinable())
        placing_.join();
    close_replaced();
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void AggregationOverflow::close_replaced()
{
    for (const Replaced& map : std::exchange(replaced_, {}))
        ::close(map.descriptor);
}

AggregationOverflow::AggregationOverflow(AggregationOverflow&& other) noexcept
    : outer_(other.outer_), descriptor_(std::exchange(other.descriptor_, -1)), flags_(other.flags_),
      entries_(other.entries_), elements_(other.elements_), limit_(other.limit_), before_(other.before_),
      is_drained_(other.is_drained_), inserted_(other.inserted_), placing_(std::move(other.placing_)),
      replaced_(std::exchange(other.replaced_, {})), kept_(std::move(other.kept_))
{
}

void AggregationOverflow::open(const LoadedMaps& maps, const AggregationSchema& schema, const uint64_t* inserted,
                               uint64_t limit)
{
    const LoadedMap* outer = maps.find(schema.overflow_map);
    const LoadedMap* first = maps.find(schema.map);
    if (!outer || !first || !inserted)
        return;
    outer_ = outer->descriptor;
    flags_ = first->flags & BPF_F_NO_PREALLOC;
    elements_ = CpuElements(schema);
    inserted_ = inserted;
    limit_ = limit;
    entries_ = first_overflow_entries(limit_, entry_size(), flags_);
    before_ = __atomic_load_n(inserted_, __ATOMIC_RELAXED);
    descriptor_ = make(entries_);
    if (descriptor_ >= 0)
        place_first();
}

// Stores the first overflow map in the outer map (map of maps), through which programs find it. A separate thread does
// this, because the system call waits until all running programs have ended. The caller need not wait: the outer map
// was empty, so no program can be writing to an older map.
void AggregationOverflow::place_first()
{
    const auto place = [outer = outer_, inner = descriptor_] {
        const uint32_t index = 0;
        bpf_map_update_elem(outer, &index, &inner, BPF_ANY);
    };
    // If keys expire (is_drained_), all keys go to the overflow map, so programs must be able to use it when open()
    // returns.
    if (!is_drained_)
        placing_ = side_thread(place);
    if (!placing_.joinable())
        place();
}

uint32_t AggregationOverflow::most_entries() const
{
    return max_overflow_entries(limit_, entry_size());
}

int AggregationOverflow::make(uint32_t entries) const
{
    LIBBPF_OPTS(bpf_map_create_opts, options);
    options.map_flags = flags_;
    return bpf_map_create(BPF_MAP_TYPE_HASH, "agg_overflow", elements_.map_key_size(), elements_.map_value_size(),
                          entries, &options);
}

Result<void> AggregationOverflow::replace(int descriptor, uint32_t entries)
{
    if (placing_.joinable())
        placing_.join();
    const uint32_t index = 0;
    const uint64_t before = __atomic_load_n(inserted_, __ATOMIC_RELAXED);
    if (bpf_map_update_elem(outer_, &index, &descriptor, BPF_ANY) != 0)
        return Error{std::strerror(errno), errno};
    replaced_.push_back({descriptor_, entries_});
    before_ = before;
    descriptor_ = descriptor;
    entries_ = entries;
    return {};
}

uint64_t AggregationOverflow::memory() const
{
    uint64_t bytes = descriptor_ >= 0 ? map_memory(descriptor_) : 0;
    for (const Replaced& map : replaced_)
        bytes += map_memory(map.descriptor);
    return bytes;
}

bool AggregationOverflow::needs_growth() const
{
    return descriptor_ >= 0 && (is_drained_ || entries_ < most_entries()) && count() > entries_ / kFullness;
}

Result<void> AggregationOverflow::grow()
{
    const uint32_t entries = std::max(entries_, next_overflow_entries(entries_, most_entries()));
    const int descriptor = make(entries);
    if (descriptor < 0) {
        limit_ = 0; // the kernel has no memory for a larger map, so there are no further attempts
        return Error{std::strerror(errno), errno};
    }
    Result<void> replaced = replace(descriptor, entries);
    if (!replaced)
        ::close(descriptor);
    return replaced;
}

/// Replaces the current map by an empty one, unless it is empty itself.
Result<void> AggregationOverflow::retire_current()
{
    if (descriptor_ < 0 || count() == 0)
        return {};
    const int empty = make(entries_);
    if (empty < 0)
        return Error{std::strerror(errno), errno};
    Result<void> replaced = replace(empty, entries_);
    if (!replaced)
        ::close(empty);
    return replaced;
}

Result<void> AggregationOverflow::drain(const Visit& visit)
{
    if (Result<void> taken = retire_current(); !taken)
        return taken;
    while (!replaced_.empty()) {
        const Replaced map = replaced_.back();
        // Reads all entries before the first visit. If reading fails midway, a later call reads the map again, so the
        // entries must not have been visited yet.
        std::vector<uint8_t> entries;
        const Result<void> read =
            reader_.read(shape(map.descriptor, map.entries),
                         [&](const uint8_t* key, const uint8_t* words) { append_element(entries, key, words); });
        if (!read)
            return read;
        replaced_.pop_back();
        ::close(map.descriptor);
        const auto show = parts_to(visit);
        for (std::size_t at = 0; at < entries.size(); at += entry_size())
            show(entries.data() + at, entries.data() + at + elements_.map_key_size());
    }
    return {};
}

MapShape AggregationOverflow::shape(int descriptor, uint32_t entries) const
{
    return {descriptor, elements_.map_key_size(), elements_.map_value_size(), entries};
}

/// Returns a function that splits a map element into key, CPU and words, and passes these to `visit`.
MapReader::Visit AggregationOverflow::parts_to(const Visit& visit) const
{
    return [this, &visit](const uint8_t* map_key, const uint8_t* value) {
        visit(elements_.key(map_key, value), static_cast<uint32_t>(elements_.cpu(map_key)), elements_.words(value));
    };
}

void AggregationOverflow::append_element(std::vector<uint8_t>& all, const uint8_t* map_key, const uint8_t* value) const
{
    all.insert(all.end(), map_key, map_key + elements_.map_key_size());
    all.insert(all.end(), value, value + elements_.map_value_size());
}

Result<void> AggregationOverflow::read_replaced(const MapReader::Visit& visit)
{
    for (std::size_t at = 0; at < kept_.size(); at += entry_size())
        visit(kept_.data() + at, kept_.data() + at + elements_.map_key_size());
    for (const Replaced& map : replaced_)
        if (Result<void> read = reader_.read(shape(map.descriptor, map.entries), visit); !read)
            return read;
    return {};
}

Result<void> AggregationOverflow::read(const Visit& visit)
{
    if (is_empty())
        return {};
    const MapReader::Visit show = parts_to(visit);
    if (Result<void> former = read_replaced(show); !former)
        return former;
    return reader_.read(shape(descriptor_, entries_), show);
}

void AggregationOverflow::keep_only(const std::vector<std::string>& kept)
{
    if (is_empty())
        return;
    const int descriptor = make(entries_);
    if (descriptor < 0)
        return;
    if (!replace(descriptor, entries_)) {
        ::close(descriptor);
        return;
    }
    std::vector<uint8_t> entries;
    if (!kept.empty()) {
        const std::unordered_set<std::string_view> wanted(kept.begin(), kept.end());
        static_cast<void>(read_replaced([&](const uint8_t* map_key, const uint8_t* value) {
            const auto* const key = reinterpret_cast<const char*>(elements_.key(map_key, value));
            if (wanted.count({key, elements_.key_size()}) != 0)
                append_element(entries, map_key, value);
        }));
    }
    kept_ = std::move(entries);
    close_replaced();
}

} // namespace dt::consume
