// Replaces an aggregation's overflow map by a larger one while BPF programs write to it.
#include "libdtrace/consume/aggregate_overflow.hpp"

#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <unordered_set>
#include <utility>

#include "bpf-runtime/abi.h"
#include "base/side_thread.hpp"
#include "libdtrace/load/loaded_maps.hpp"
#include "libdtrace/load/map_memory.hpp"

namespace dt::consume {

namespace {

constexpr uint32_t kFirstEntries =
    1 << 17; // 2 MiB of buckets; a burst of new keys needs some ten milliseconds to fill it
constexpr uint32_t kGrowth = 16;
constexpr uint32_t kFullness = 8;       // grow when one entry in this many is used, so that new keys always find room
constexpr uint64_t kEntryOverhead = 80; // the kernel's bytes per element: header, bucket, allocator overhead

/// Returns how many elements of `entry` bytes fit into `limit` bytes.
uint32_t most_overflow_entries(uint64_t limit, std::size_t entry)
{
    return static_cast<uint32_t>(std::clamp<uint64_t>(limit / (entry + kEntryOverhead), 1, 1u << 30));
}

uint32_t next_overflow_entries(uint32_t entries, uint32_t most)
{
    return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{entries} * kGrowth, most));
}

} // namespace

std::vector<uint32_t> overflow_sizes(const AggregationSchema& schema, uint64_t limit)
{
    const uint32_t most =
        most_overflow_entries(limit, schema.key_size + sizeof(uint64_t) + schema.words * sizeof(int64_t));
    std::vector<uint32_t> sizes = {std::min(kFirstEntries, most)};
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
      key_size_(other.key_size_), value_size_(other.value_size_), entries_(other.entries_), limit_(other.limit_),
      before_(other.before_), is_taken_(other.is_taken_), inserted_(other.inserted_),
      placing_(std::move(other.placing_)), replaced_(std::exchange(other.replaced_, {})), kept_(std::move(other.kept_))
{
}

void AggregationOverflow::open(const LoadedMaps& maps, const AggregationSchema& schema, const uint64_t* inserted,
                               uint64_t limit)
{
    const LoadedMap* outer = maps.find(schema.more);
    const LoadedMap* first = maps.find(schema.map);
    if (!outer || !first || !inserted)
        return;
    outer_ = outer->descriptor;
    flags_ = first->flags & BPF_F_NO_PREALLOC;
    key_size_ = schema.key_size + static_cast<uint32_t>(sizeof(uint64_t));
    value_size_ = schema.words * static_cast<uint32_t>(sizeof(int64_t));
    inserted_ = inserted;
    limit_ = limit;
    entries_ = std::min(kFirstEntries, most_entries());
    before_ = __atomic_load_n(inserted_, __ATOMIC_RELAXED);
    descriptor_ = make(entries_);
    if (descriptor_ >= 0)
        place_first();
}

// Puts the first map in place in a separate thread. The kernel's update waits until no program uses the previous inner
// map. No map precedes this one, so the caller need not wait.
void AggregationOverflow::place_first()
{
    const auto place = [outer = outer_, inner = descriptor_] {
        const uint32_t index = 0;
        bpf_map_update_elem(outer, &index, &inner, BPF_ANY);
    };
    if (!is_taken_) // with is_taken_, keys have no other map, so the caller must wait
        placing_ = side_thread(place);
    if (!placing_.joinable())
        place();
}

uint32_t AggregationOverflow::most_entries() const
{
    return most_overflow_entries(limit_, entry_size());
}

int AggregationOverflow::make(uint32_t entries) const
{
    LIBBPF_OPTS(bpf_map_create_opts, options);
    options.map_flags = flags_;
    return bpf_map_create(BPF_MAP_TYPE_HASH, "agg_overflow", key_size_, value_size_, entries, &options);
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

bool AggregationOverflow::wants_growth() const
{
    return descriptor_ >= 0 && (is_taken_ || entries_ < most_entries()) && count() > entries_ / kFullness;
}

Result<void> AggregationOverflow::grow()
{
    const uint32_t entries = std::max(entries_, next_overflow_entries(entries_, most_entries()));
    const int descriptor = make(entries);
    if (descriptor < 0) {
        limit_ = 0; // the kernel has no memory left, so the current map is the largest
        return Error{std::strerror(errno), errno};
    }
    Result<void> replaced = replace(descriptor, entries);
    if (!replaced)
        ::close(descriptor);
    return replaced;
}

/// Replaces the current map by an empty one, if it holds anything.
Result<void> AggregationOverflow::take_out_of_use()
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

Result<void> AggregationOverflow::take(const Visit& visit)
{
    if (Result<void> taken = take_out_of_use(); !taken)
        return taken;
    while (!replaced_.empty()) {
        const Replaced map = replaced_.back();
        // a map is handed over completely or not at all, because no entry may be shown twice
        std::vector<uint8_t> entries;
        const Result<void> read =
            reader_.read(shape(map.descriptor, map.entries), [&](const uint8_t* key, const uint8_t* words) {
                entries.insert(entries.end(), key, key + key_size_);
                entries.insert(entries.end(), words, words + value_size_);
            });
        if (!read)
            return read;
        replaced_.pop_back();
        ::close(map.descriptor);
        for (std::size_t at = 0; at < entries.size(); at += entry_size()) {
            uint64_t cpu = 0;
            std::memcpy(&cpu, entries.data() + at + key_size_ - sizeof cpu, sizeof cpu);
            visit(entries.data() + at, static_cast<uint32_t>(cpu), entries.data() + at + key_size_);
        }
    }
    return {};
}

MapShape AggregationOverflow::shape(int descriptor, uint32_t entries) const
{
    return {descriptor, key_size_, (value_size_ + 7) / 8 * 8, entries};
}

Result<void> AggregationOverflow::read_former(const MapReader::Visit& visit)
{
    for (std::size_t at = 0; at < kept_.size(); at += entry_size())
        visit(kept_.data() + at, kept_.data() + at + key_size_);
    for (const Replaced& map : replaced_)
        if (Result<void> read = reader_.read(shape(map.descriptor, map.entries), visit); !read)
            return read;
    return {};
}

Result<void> AggregationOverflow::read(const Visit& visit)
{
    if (is_empty())
        return {};
    const auto show = [&](const uint8_t* key, const uint8_t* words) {
        uint64_t cpu = 0;
        std::memcpy(&cpu, key + key_size_ - sizeof cpu, sizeof cpu);
        visit(key, static_cast<uint32_t>(cpu), words);
    };
    if (Result<void> former = read_former(show); !former)
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
        static_cast<void>(read_former([&](const uint8_t* key, const uint8_t* words) {
            if (wanted.count({reinterpret_cast<const char*>(key), key_size_ - sizeof(uint64_t)}) == 0)
                return;
            entries.insert(entries.end(), key, key + key_size_);
            entries.insert(entries.end(), words, words + value_size_);
        }));
    }
    kept_ = std::move(entries);
    close_replaced();
}

} // namespace dt::consume
