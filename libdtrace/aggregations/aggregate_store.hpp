// The kernel's maps of aggregations. An aggregation with keys is stored in a per-CPU hash map and, if it may grow, in
// an overflow map. If its keys can be long, short keys are stored in a map of their own. Aggregations without
// keys share one per-CPU array, except large ones, which are stored in an array map with an element per CPU. Class
// AggregationOverflow replaces overflow maps by larger ones.
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
// Replaced maps stay in the kernel and are read together with the current one. Copying their contents into the tracer
// would need the same amount of the tracer's memory. No count is lost, because the kernel waits until no program uses
// the old map. Each map is several times as large as the one before, so all replaced maps together are smaller than the
// current map.

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

/// Default limit in bytes of the size of each overflow map.
inline constexpr uint64_t kMaxOverflow = 512 << 20;

/// Returns the sizes of an aggregation's successive overflow maps. A size is a count of entries; each entry belongs to
/// one key and one CPU. `limit` is the maximum size of a map in bytes, and `flags` are the flags of the map.
std::vector<uint32_t> overflow_sizes(const AggregationSchema& schema, uint64_t limit, uint32_t flags);

/// The overflow map of one aggregation.
class AggregationOverflow {
public:
    using Visit = std::function<void(const uint8_t* key, uint32_t cpu, const uint8_t* words)>;

    AggregationOverflow() = default;
    ~AggregationOverflow();
    AggregationOverflow(AggregationOverflow&& other) noexcept;
    AggregationOverflow& operator=(AggregationOverflow&&) = delete;

    /// Allows calls of drain(); must be called before open(). From then on, a map that has reached its maximum size is
    /// replaced by an empty one, and open() returns only after programs use the first map.
    void enable_draining() { is_drained_ = true; }
    /// Makes the first overflow map available to programs. Does not wait until programs use the map, which takes 10 ms.
    /// `limit` is the maximum kernel memory of the map in bytes. If the kernel refuses the map, keys that do not fit
    /// into the aggregation's own map are counted as drops.
    void open(const LoadedMaps& maps, const AggregationSchema& schema, const uint64_t* inserted, uint64_t limit);

    /// Returns whether the map is filling up and can still grow. Costs one read of a word.
    bool needs_growth() const;
    /// Replaces the map by a larger one. An error leaves everything unchanged.
    Result<void> grow();

    /// Calls `visit` for all counts since the last call, and removes these counts. A key and CPU may be visited several
    /// times. Waits until no program uses the current map (some 10 ms). If reading fails, the unvisited entries stay in
    /// their maps.
    Result<void> drain(const Visit& visit);
    /// Calls `visit` for every key and CPU. A key and CPU may be visited several times; the caller must combine the
    /// words.
    Result<void> read(const Visit& visit);
    /// Removes all keys except those in `kept`, which contains the bytes of one key per string. A key is removed or
    /// preserved for all CPUs.
    void keep_only(const std::vector<std::string>& kept);
    /// Returns the kernel memory of the current and the replaced maps in bytes.
    uint64_t memory() const;
    bool is_empty() const { return descriptor_ < 0 || (kept_.empty() && replaced_.empty() && count() == 0); }

private:
    /// Returns the number of keys inserted into the current map.
    uint64_t count() const { return __atomic_load_n(inserted_, __ATOMIC_RELAXED) - before_; }
    int make(uint32_t entries) const;
    /// Stores a new map in the outer map (map of maps), so that programs use it from now on. The current map becomes
    /// the last of `replaced_`.
    Result<void> replace(int descriptor, uint32_t entries);
    void place_first();
    MapShape shape(int descriptor, uint32_t entries) const;
    /// Replaces the current map by an empty one, unless it is empty already.
    Result<void> retire_current();
    /// Visits all entries that are not in the current map. The last 8 bytes of each visited key are the CPU.
    Result<void> read_replaced(const MapReader::Visit& visit);
    void close_replaced();
    uint32_t most_entries() const;
    std::size_t entry_size() const { return std::size_t{elements_.map_key_size()} + elements_.map_value_size(); }
    MapReader::Visit parts_to(const Visit& visit) const;
    void append_element(std::vector<uint8_t>& all, const uint8_t* map_key, const uint8_t* value) const;

    int outer_ = -1, descriptor_ = -1;
    uint32_t flags_ = 0, entries_ = 0;
    CpuElements elements_{AggregationSchema()};
    uint64_t limit_ = 0, before_ = 0;
    bool is_drained_ = false;
    const uint64_t* inserted_ = nullptr;
    std::thread placing_; ///< thread that stores the first overflow map in the outer map; not joinable if there is none
    struct Replaced {
        int descriptor;
        uint32_t entries;
    };
    std::vector<Replaced> replaced_; ///< replaced maps that are still read, oldest first
    std::vector<uint8_t> kept_;      ///< entries that keep_only() did not remove: key, CPU and words of each
    MapReader reader_;
};

} // namespace dt::consume

namespace dt {
class LoadedMaps;
}

// The maps of a loaded object that contain the trace's aggregations.

namespace dt::consume {

class KernelAggregations final : public AggregationStore {
public:
    /// Finds the maps of the loaded object; a missing map is an error. `inserted` points to the counters of
    /// DT_SECTION_OVERFLOW_KEYS, or is null if no aggregation may grow. `limit` is the maximum size of one overflow map
    /// in bytes.
    Result<void> open(const LoadedMaps& maps, const std::vector<AggregationSchema>& schemas, const uint64_t* inserted,
                      uint64_t limit);

    /// Allows calls of drain() for aggregations that may grow; must be called before open().
    void enable_draining() { is_drained_ = true; }
    bool can_be_drained(const AggregationSchema& schema) const { return is_drained_ && !schema.overflow_map.empty(); }
    /// Calls `visit` with the words of each key on one CPU, and removes the key from the kernel's map. If reading
    /// fails, the unvisited entries stay in the kernel's maps.
    Result<void> drain(const AggregationSchema& schema, const AggregationOverflow::Visit& visit)
    {
        return overflows_[schema.id].drain(visit);
    }
    /// Returns whether some overflow map is filling up, so that grow() must be called before the map is full. Reads one
    /// word per map.
    bool needs_growth() const;
    void grow();
    /// Returns the kernel memory of overflow maps in bytes, indexed by the name of their outer map (map of maps).
    std::map<std::string, uint64_t> overflow_memory() const;

    uint32_t cpus() const override { return cpus_; }
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void settle() override { settled_ = true; }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void zero(const AggregationSchema& schema) override;
    void keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept) override;

private:
    struct Map : MapShape {
        std::size_t stride = 0; ///< distance in bytes between the values of consecutive CPUs in an element
        bool by_cpu = false;    ///< whether the map has no keys, but one element per CPU
        /// for a map of short keys: whether the last read also found short keys in the map of long keys
        bool has_others = false;
    };

    Result<void> open_short_keys(const LoadedMaps& maps, const AggregationSchema& schema);
    Result<void> read_map(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_per_cpu_hash(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_digested(const AggregationSchema& schema, const Map& map, const Visit& visit);
    AggregationOverflow::Visit visit_of_cpu(const AggregationSchema& schema, const Visit& visit);
    void remove_whole(const AggregationSchema& schema, std::span<const uint8_t> keys);
    Result<void> read_shared(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_unkeyed(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_overflow(const AggregationSchema& schema, const Visit& visit);

    uint32_t cpus_ = 1;
    std::vector<Map> maps_; ///< maps that store keys of any length in full, by aggregation id
    /// Maps of short keys, by aggregation id; key_size is 0 if the aggregation has no such map.
    std::vector<Map> short_keys_;
    std::vector<AggregationOverflow> overflows_; ///< overflow map of each aggregation, by aggregation id
    /// names of the outer maps (maps of maps) that contain the overflow maps, by aggregation id
    std::vector<std::string> outer_maps_;
    std::vector<uint8_t> values_;
    MapReader reader_;
    bool settled_ = false, is_drained_ = false, is_absent_ = false;
    /// Contents of a map that several aggregations share: key and values of each entry, by aggregation id. After
    /// counting has ended, the map is read once for all of them. Without that, reading one aggregation would also read
    /// the keys of all others.
    using Shared = std::unordered_map<uint64_t, std::vector<uint8_t>>;
    std::unordered_map<int, Shared> shared_; ///< contents of shared maps, by map descriptor
};

} // namespace dt::consume
