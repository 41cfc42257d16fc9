// The kernel's maps of aggregations. Each aggregation with keys has a per-CPU hash, possibly an overflow map, and a map
// of short keys if its keys can be long. All aggregations without keys share one per-CPU array. Class
// AggregationOverflow makes overflow maps grow.
#pragma once

#include <map>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/aggregations/aggregate.hpp"
#include "libdtrace/load/loaded_maps.hpp"

// Overflow maps let aggregations grow. Keys that do not fit into an aggregation's own map go to its overflow map, which
// is replaced by a larger one before it is full (abi.h, DT_OVERFLOW_SUFFIX).
//
// Replaced maps stay in the kernel and are read together with the current one. Copying them would need tracer memory
// that grows with the keys. The kernel's replacement waits until no program uses the old map, so no count is lost. Each
// map is several times as large as the previous one, so all replaced maps together are smaller than the current one.

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

/// Default limit of an overflow map's size, in bytes.
inline constexpr uint64_t kMaxOverflow = 512 << 20;

/// Returns the sizes of the overflow maps that an aggregation uses one after the other. A size is the number of
/// entries, each for one key and CPU. `limit` is the maximum size of a map in bytes.
std::vector<uint32_t> overflow_sizes(const AggregationSchema& schema, uint64_t limit);

/// The overflow map of one aggregation.
class AggregationOverflow {
public:
    using Visit = std::function<void(const uint8_t* key, uint32_t cpu, const uint8_t* words)>;

    AggregationOverflow() = default;
    ~AggregationOverflow();
    AggregationOverflow(AggregationOverflow&& other) noexcept;
    AggregationOverflow& operator=(AggregationOverflow&&) = delete;

    /// Must be called before open() if the counts are taken out repeatedly. Then a map that cannot grow is replaced by
    /// an empty one, and open() returns only after programs use the first map.
    void enable_draining() { is_drained_ = true; }
    /// Makes the first overflow map available to programs, without waiting for the kernel's confirmation, which takes
    /// 10 ms. `limit` is the maximum kernel memory of the map in bytes. If the kernel refuses the map, no overflow
    /// exists, and keys without room are counted as drops.
    void open(const LoadedMaps& maps, const AggregationSchema& schema, const uint64_t* inserted, uint64_t limit);

    /// Returns whether the map is filling up and can still grow. Reads one word.
    bool needs_growth() const;
    /// Replaces the map by a larger one. An error leaves everything unchanged.
    Result<void> grow();

    /// Passes on and removes all counts since the last call: every key and CPU, possibly several times. Waits until no
    /// program uses the current map (some 10 ms). On an error the entries that were not passed on remain.
    Result<void> drain(const Visit& visit);
    /// Visits every key and CPU, possibly several times; the caller must combine the words.
    Result<void> read(const Visit& visit);
    /// Removes everything except the keys in `kept` (without CPU, one key per string).
    void keep_only(const std::vector<std::string>& kept);
    /// Returns the kernel memory of the current and the replaced maps in bytes.
    uint64_t memory() const;
    bool is_empty() const { return descriptor_ < 0 || (kept_.empty() && replaced_.empty() && count() == 0); }

private:
    /// Returns the number of keys inserted into the current map.
    uint64_t count() const { return __atomic_load_n(inserted_, __ATOMIC_RELAXED) - before_; }
    int make(uint32_t entries) const;
    /// Stores a new map in the outer map, so that programs use it from now on. The current map becomes the last of
    /// `replaced_`.
    Result<void> replace(int descriptor, uint32_t entries);
    void place_first();
    MapShape shape(int descriptor, uint32_t entries) const;
    /// Replaces the current map by an empty one, if it holds anything.
    Result<void> retire_current();
    /// Visits all entries outside the current map. The CPU is the last part of each visited key.
    Result<void> read_replaced(const MapReader::Visit& visit);
    void close_replaced();
    uint32_t most_entries() const;
    std::size_t entry_size() const { return key_size_ + value_size_; }

    int outer_ = -1, descriptor_ = -1;
    uint32_t flags_ = 0, key_size_ = 0, value_size_ = 0, entries_ = 0;
    uint64_t limit_ = 0, before_ = 0;
    bool is_drained_ = false;
    const uint64_t* inserted_ = nullptr;
    std::thread placing_; ///< thread that stores the first map in the outer map
    struct Replaced {
        int descriptor;
        uint32_t entries;
    };
    std::vector<Replaced> replaced_; ///< previous maps, oldest first
    std::vector<uint8_t> kept_;      ///< key, CPU and words of each entry that keep_only() kept
    MapReader reader_;
};

} // namespace dt::consume

namespace dt {
class LoadedMaps;
}

// The maps of a loaded object: the store of a trace's part in the kernel.

namespace dt::consume {

class KernelAggregations final : public AggregationStore {
public:
    /// Finds the maps of the loaded object; a missing map is an error. `inserted` has the counters of
    /// DT_SECTION_OVERFLOW_KEYS, or is null if no aggregation may grow. `limit` is the maximum size of one overflow map
    /// in bytes.
    Result<void> open(const LoadedMaps& maps, const std::vector<AggregationSchema>& schemas, const uint64_t* inserted,
                      uint64_t limit);

    /// Must be called before open() if the keys of growing aggregations will be taken out (take()).
    void enable_draining() { is_drained_ = true; }
    bool can_be_drained(const AggregationSchema& schema) const { return is_drained_ && !schema.overflow_map.empty(); }
    /// Calls `visit` with the words of each key on one CPU, and removes the key. On an error the entries that were not
    /// passed on remain.
    Result<void> drain(const AggregationSchema& schema, const AggregationOverflow::Visit& visit)
    {
        return overflows_[schema.id].drain(visit);
    }
    /// Returns whether some overflow map is filling up, so that grow() should be called soon. Cheap.
    bool needs_growth() const;
    void grow();
    /// Returns the kernel memory of overflow maps in bytes, by the name of their outer map.
    std::map<std::string, uint64_t> overflow_memory() const;

    uint32_t cpus() const override { return cpus_; }
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void settle() override { settled_ = true; }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void zero(const AggregationSchema& schema) override;
    void keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept) override;

private:
    struct Map : MapShape {
        std::size_t stride = 0;  ///< distance in bytes between the values of two CPUs
        bool by_cpu = false;     ///< the map has no keys, but one element per CPU
        bool has_others = false; ///< for short keys: at the last read, the map of long keys held some of them
    };

    Result<void> open_short_keys(const LoadedMaps& maps, const AggregationSchema& schema);
    Result<void> read_map(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_shared(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_unkeyed(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_overflow(const AggregationSchema& schema, const Visit& visit);

    uint32_t cpus_ = 1;
    std::vector<Map> maps_;                      ///< maps of whole keys by aggregation id
    std::vector<Map> short_keys_;                ///< maps of short keys by aggregation id; key_size 0: none
    std::vector<AggregationOverflow> overflows_; ///< overflow map of each aggregation, by aggregation id
    std::vector<std::string> outer_maps_;        ///< names of the outer maps of overflow maps, by aggregation id
    std::vector<uint8_t> values_;
    MapReader reader_;
    bool settled_ = false, is_drained_ = false, is_absent_ = false;
    /// Contents of a map that several aggregations share, by aggregation id: key and values of each entry. After
    /// counting has ended, the map is read once for all of them. Otherwise each aggregation would read the keys of the
    /// others too.
    using Shared = std::unordered_map<uint64_t, std::vector<uint8_t>>;
    std::unordered_map<int, Shared> shared_; ///< contents of shared maps, by map descriptor
};

} // namespace dt::consume
