// The kernel's maps of aggregations. Each aggregation with keys has a per-CPU hash, possibly an overflow map, and a map
// of short keys if its keys can be long. All aggregations without keys share one per-CPU array.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "libdtrace/consume/aggregate.hpp"
#include "libdtrace/consume/aggregate_overflow.hpp"

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

class KernelAggregations final : public AggregationStore {
public:
    /// Finds the maps of the loaded object; a missing map is an error. `inserted` has the counters of DT_SECTION_MORE,
    /// or is null if no aggregation may grow. `limit` is the maximum size of one overflow map in bytes.
    Result<void> open(const LoadedMaps& maps, const std::vector<AggregationSchema>& schemas, const uint64_t* inserted,
                      uint64_t limit);

    /// Must be called before open() if the keys of growing aggregations will be taken out (take()).
    void will_be_taken() { is_taken_ = true; }
    bool may_be_taken(const AggregationSchema& schema) const { return is_taken_ && !schema.more.empty(); }
    /// Passes on and removes the keys' words, each for one CPU. On an error the entries that were not passed on remain.
    Result<void> take(const AggregationSchema& schema, const AggregationOverflow::Visit& visit)
    {
        return overflows_[schema.id].take(visit);
    }
    /// Returns whether some overflow map is filling up, so that grow() should be called soon. Cheap.
    bool wants_growth() const;
    void grow();
    /// Returns the kernel memory of overflow maps in bytes, by the name of the map that holds them.
    std::map<std::string, uint64_t> overflow_memory() const;

    uint32_t cpus() const override { return cpus_; }
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void settle() override { settled_ = true; }
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void zero(const AggregationSchema& schema) override;
    void keep_overflow(const AggregationSchema& schema, const std::vector<std::string>& kept) override;

private:
    struct Map : MapShape {
        std::size_t stride = 0;  ///< bytes of one CPU's value
        bool by_cpu = false;     ///< the map has no keys, and one element per CPU
        bool has_others = false; ///< for short keys: at the last read, the map of long keys held some of them
    };

    Result<void> open_brief(const LoadedMaps& maps, const AggregationSchema& schema);
    Result<void> read_map(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_shared(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_unkeyed(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_overflow(const AggregationSchema& schema, const Visit& visit);

    uint32_t cpus_ = 1;
    std::vector<Map> maps_;                      ///< maps of whole keys by aggregation id
    std::vector<Map> briefs_;                    ///< maps of short keys by aggregation id; key_size 0: none
    std::vector<AggregationOverflow> overflows_; ///< overflow maps by aggregation id
    std::vector<std::string> outer_maps_;        ///< names of the maps that hold the overflow maps, by aggregation id
    std::vector<uint8_t> values_;
    MapReader reader_;
    bool settled_ = false, is_taken_ = false, is_absent_ = false;
    /// Contents of a map that several aggregations share, by aggregation id: key and values of each entry. After
    /// counting has ended the map is read once for all of them. Otherwise each would read the others' keys too.
    using Shared = std::unordered_map<uint64_t, std::vector<uint8_t>>;
    std::unordered_map<int, Shared> shared_; ///< contents of shared maps, by map descriptor
};

} // namespace dt::consume
