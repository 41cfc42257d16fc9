// Aggregations in a kernel dump: the values of all CPUs, read from the memory of the BPF maps.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "libdtrace/consume/aggregate.hpp"
#include "libdtrace/postmortem/dumped_maps.hpp"

namespace dt::postmortem {

class DumpedAggregations final : public consume::AggregationStore {
public:
    /// Access to the maps of a trace. Both return null if the dump does not contain the map.
    struct MapsOfTrace {
        std::function<const DumpedMap*(const std::string& name)> by_name;
        std::function<const DumpedMap*(uint64_t address)> at_address;
    };

    /// `kernel` must outlive this object.
    DumpedAggregations(const DumpedKernel& kernel, MapsOfTrace maps);

    uint32_t cpus() const override { return static_cast<uint32_t>(offsets_.size()); }
    /// Reads an aggregation. Missing parts are no error; unread() lists them.
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void remove(const AggregationSchema&, std::span<const uint8_t>) override {}
    void zero(const AggregationSchema&) override {}

    /// Returns the names ("@name") of aggregations that are incomplete in the dump, each once.
    const std::vector<std::string>& unread() const { return unread_; }

private:
    bool read_per_cpu(uint64_t of, std::size_t stride, std::vector<uint8_t>& values);
    bool read_array(const AggregationSchema& schema, const DumpedMap& map, const Visit& visit);
    bool for_each_element(const DumpedMap& map, const std::function<bool(uint64_t element)>& handle);
    bool read_hash(const AggregationSchema& schema, const DumpedMap& map, uint32_t key_size, const Visit& visit);
    bool read_overflow(const AggregationSchema& schema, const DumpedMap& outer, const Visit& visit);
    bool read_element(const AggregationSchema& schema, const DumpedMap& map, uint64_t element, const Visit& visit);

    const DumpedKernel& kernel_;
    const MapsOfTrace maps_;
    std::vector<uint64_t> offsets_; ///< offset of each CPU's per-CPU area
    std::set<uint32_t> told_;
    std::vector<std::string> unread_;
};

} // namespace dt::postmortem
