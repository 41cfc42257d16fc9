// The kernel's side of aggregations: per-CPU hashes, one for each aggregation with keys, and one per-CPU array for all without.
#pragma once

#include "libdtrace/consume/aggregate.hpp"

struct bpf_object;

namespace dt::consume {

class KernelAggregations final : public AggregationStore {
public:
    /// Finds the maps of the loaded object. An aggregation whose map is missing is an error.
    Result<void> open(bpf_object* object, const std::vector<AggregationSchema>& schemas);

    uint32_t cpus() const override { return cpus_; }
    /// One batched look-up for some thousand keys; where the kernel has none, one system call a key.
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void remove(const AggregationSchema& schema, std::span<const uint8_t> keys) override;
    void zero(const AggregationSchema& schema) override;

private:
    struct Map {
        int descriptor = -1;
        uint32_t key_size = 0;
        std::size_t stride = 0; ///< bytes of one CPU's value
        uint32_t entries = 0;
        bool by_cpu = false;    ///< no keys, and an element of the map for each CPU
    };

    Result<void> read_unkeyed(const AggregationSchema& schema, const Map& map, const Visit& visit);
    /// False when the kernel has no batched look-up for this map.
    Result<bool> read_batches(const Map& map, const Visit& visit);
    Result<void> read_one_by_one(const Map& map, const Visit& visit);

    uint32_t cpus_ = 1;
    std::vector<Map> maps_; ///< by aggregation id
    std::vector<uint8_t> keys_, values_;
};

} // namespace dt::consume
