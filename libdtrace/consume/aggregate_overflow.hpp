// Aggregations that grow: what finds no room in an aggregation's own map goes to an overflow map, which is replaced by
// a larger one before it is full (abi.h, DT_MORE_SUFFIX).
//
// A replaced map stays in the kernel, and is read with the others when somebody looks at the aggregation: a copy here
// would be memory of the tracer that grows with the keys. The kernel waits, while it replaces, until no program uses
// the old one, so nothing that was counted is lost. Each map is several times as large as the one before: what all
// replaced maps hold together is less than what the last one holds.
#pragma once

#include <string>
#include <thread>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/map_reader.hpp"

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

/// Bytes that an overflow map may have where nobody says otherwise.
inline constexpr uint64_t kMostOverflow = 512 << 20;

/// How many keys, each with a CPU, the overflow maps of an aggregation have room for, one after the other, that may
/// have `limit` bytes.
std::vector<uint32_t> overflow_sizes(const AggregationSchema& schema, uint64_t limit);

/// The overflow map of one aggregation.
class AggregationOverflow {
public:
    using Visit = std::function<void(const uint8_t* key, uint32_t cpu, const uint8_t* words)>;

    AggregationOverflow() = default;
    ~AggregationOverflow();
    AggregationOverflow(AggregationOverflow&& other) noexcept;
    AggregationOverflow& operator=(AggregationOverflow&&) = delete;

    /// Before open(): what was counted is taken out again and again, so a map that cannot become larger is replaced by
    /// an empty one, and the first is there when open() returns.
    void will_be_taken() { is_taken_ = true; }
    /// Puts the first overflow map in place, without waiting for the kernel, which takes 10 ms to say that it is there.
    /// `limit`: bytes of kernel memory that the map may have. Where the kernel refuses, there is no overflow, and what
    /// does not fit is counted as dropped.
    void open(const LoadedMaps& maps, const AggregationSchema& schema, const uint64_t* inserted, uint64_t limit);

    /// Whether the map will soon be full and can still become larger; reads one word.
    bool wants_growth() const;
    /// Replaces the map by a larger one. On an error everything stays as it was.
    Result<void> grow();

    /// Hands over what was counted since the last time, and has none of it any more: every key and CPU, possibly
    /// several times. Waits until no program uses the map at hand (some 10 ms). An error leaves what was not shown.
    Result<void> take(const Visit& visit);
    /// Every key and CPU, possibly several times: the words are to be combined.
    Result<void> read(const Visit& visit);
    /// Empties everything and keeps only `kept`, a list of keys (without CPU) one after the other.
    void keep_only(const std::vector<std::string>& kept);
    /// Bytes of the kernel that it takes, with the maps that it replaced.
    uint64_t memory() const;
    bool is_empty() const { return descriptor_ < 0 || (kept_.empty() && replaced_.empty() && count() == 0); }

private:
    /// Keys put into the present map.
    uint64_t count() const { return __atomic_load_n(inserted_, __ATOMIC_RELAXED) - before_; }
    int make(uint32_t entries) const;
    /// The present map is the last of the replaced ones then.
    Result<void> replace(int descriptor, uint32_t entries);
    void place_first();
    MapShape shape(int descriptor, uint32_t entries) const;
    /// Key with CPU, and words, of what is not in the present map.
    Result<void> take_out_of_use();
    Result<void> read_former(const MapReader::Visit& visit);
    void close_replaced();
    uint32_t most_entries() const;
    std::size_t entry_size() const { return key_size_ + value_size_; }

    int outer_ = -1, descriptor_ = -1;
    uint32_t flags_ = 0, key_size_ = 0, value_size_ = 0, entries_ = 0;
    uint64_t limit_ = 0, before_ = 0;
    bool is_taken_ = false;
    const uint64_t* inserted_ = nullptr;
    std::thread placing_; ///< the first map
    struct Replaced {
        int descriptor;
        uint32_t entries;
    };
    std::vector<Replaced> replaced_; ///< maps before this one
    std::vector<uint8_t> kept_;      ///< key, CPU and words of each entry that keep_only() kept
    MapReader reader_;
};

} // namespace dt::consume
