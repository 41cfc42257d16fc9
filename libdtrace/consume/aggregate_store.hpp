// The kernel's side of aggregations: per-CPU hashes, one for each aggregation with keys, their overflow maps, those of
// short keys where keys may be long, and one per-CPU array for all without keys.
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
    /// Finds the maps of the loaded object. An aggregation whose map is missing is an error. `inserted`: the counters
    /// of DT_SECTION_MORE, null when nothing may grow; `limit`: bytes that one overflow map may have.
    Result<void> open(const LoadedMaps& maps, const std::vector<AggregationSchema>& schemas, const uint64_t* inserted,
                      uint64_t limit);

    /// Before open(): keys of aggregations that grow will be taken.
    void will_be_taken() { is_taken_ = true; }
    bool may_be_taken(const AggregationSchema& schema) const { return is_taken_ && !schema.more.empty(); }
    /// Hands over the words of keys on some CPU each, and has none of them any more. An error leaves what was not
    /// shown.
    Result<void> take(const AggregationSchema& schema, const AggregationOverflow::Visit& visit)
    {
        return overflows_[schema.id].take(visit);
    }
    /// Whether some aggregation is about to be full: grow() should come soon. Cheap.
    bool wants_growth() const;
    void grow();
    /// Bytes that overflow maps take, by the name of the map that holds them.
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
        bool by_cpu = false;     ///< no keys, and an element of the map for each CPU
        bool has_others = false; ///< for short keys: when it was read last, some were with the long ones
    };

    Result<void> open_brief(const LoadedMaps& maps, const AggregationSchema& schema);
    Result<void> read_map(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_shared(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_unkeyed(const AggregationSchema& schema, const Map& map, const Visit& visit);
    Result<void> read_overflow(const AggregationSchema& schema, const Visit& visit);

    uint32_t cpus_ = 1;
    std::vector<Map> maps_;                      ///< by aggregation id
    std::vector<Map> briefs_;                    ///< likewise; without keys: it has none
    std::vector<AggregationOverflow> overflows_; ///< likewise
    std::vector<std::string> outer_maps_;        ///< likewise: the map that holds it
    std::vector<uint8_t> values_;
    MapReader reader_;
    bool settled_ = false, is_taken_ = false, is_absent_ = false;
    /// What a map holds that several aggregations share, by aggregation id: key and values of each entry. Read once for
    /// all of them when nothing changes any more; else each would read all the others' keys.
    using Shared = std::unordered_map<uint64_t, std::vector<uint8_t>>;
    std::unordered_map<int, Shared> shared_; ///< by descriptor
};

} // namespace dt::consume
