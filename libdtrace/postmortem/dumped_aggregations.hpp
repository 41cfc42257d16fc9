// Aggregations in a kernel dump: finds the BPF maps of the dumped kernel and reads the values of all CPUs from their
// memory.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "libdtrace/aggregations/aggregate.hpp"
#include "libdtrace/postmortem/dumped_kernel.hpp"

// Finds the BPF maps in a kernel dump and reads their contents.

namespace dt::postmortem {

struct DumpedMap {
    uint64_t address = 0; ///< address of the map's struct bpf_map
    uint32_t number = 0, type = 0, key_size = 0, value_size = 0, entries = 0;
    std::string name;
};

/// Returns all maps whose struct bpf_map is in the dump. Fails if the kernel's list of maps cannot be read.
Result<std::vector<DumpedMap>> dumped_maps(const DumpedKernel& kernel);

/// Contents of one CPU's perf buffer in the layout of its memory mapping: a page with struct perf_event_mmap_page, then
/// the data.
struct DumpedBuffer {
    uint32_t cpu = 0;
    std::vector<uint8_t> mapping;
    uint64_t reserved = 0; ///< position in the data up to which programs had reserved space for records
    uint32_t missing_pages = 0;
};

/// Returns the perf buffers in an array map: one for each CPU that has a buffer.
Result<std::vector<DumpedBuffer>> dumped_buffers(const DumpedKernel& kernel, const DumpedMap& map);

/// Returns up to `bytes` bytes of an array's first element, or nothing if they are not in the dump.
std::vector<uint8_t> dumped_value(const DumpedKernel& kernel, const DumpedMap& map, uint64_t bytes);

class DumpedAggregations final : public consume::AggregationStore {
public:
    /// Finds maps of a trace, by name or by id. Both functions return null if the dump does not contain the map.
    struct MapsOfTrace {
        std::function<const DumpedMap*(const std::string& name)> by_name;
        std::function<const DumpedMap*(uint64_t address)> at_address;
    };

    /// `kernel` must outlive this object.
    DumpedAggregations(const DumpedKernel& kernel, MapsOfTrace maps);

    uint32_t cpus() const override { return static_cast<uint32_t>(offsets_.size()); }
    /// Reads an aggregation. It is no error if the dump does not contain some parts; unread() lists the incomplete
    /// aggregations.
    Result<void> read(const AggregationSchema& schema, const Visit& visit) override;
    void remove(const AggregationSchema&, std::span<const uint8_t>) override {}
    void zero(const AggregationSchema&) override {}

    /// Returns the names ("@name") of the aggregations of which the dump lacks some data; each name occurs once.
    const std::vector<std::string>& unread() const { return unread_; }

private:
    bool read_per_cpu(uint64_t of, std::size_t stride, std::vector<uint8_t>& values);
    bool read_array(const AggregationSchema& schema, const DumpedMap& map, const Visit& visit);
    bool for_each_element(const DumpedMap& map, const std::function<bool(uint64_t element)>& handle);
    bool read_hash(const AggregationSchema& schema, const DumpedMap& map, uint32_t key_size, const Visit& visit);
    bool read_overflow(const AggregationSchema& schema, const DumpedMap& outer, const Visit& visit);
    bool read_cpu_elements(const AggregationSchema& schema, const DumpedMap& map, const Visit& visit);
    bool read_element(const AggregationSchema& schema, const DumpedMap& map, uint64_t element, const Visit& visit);

    const DumpedKernel& kernel_;
    const MapsOfTrace maps_;
    std::vector<uint64_t> offsets_; ///< for each CPU, the offset of its per-CPU data (__per_cpu_offset)
    std::set<uint32_t> reported_;
    std::vector<std::string> unread_;
};

} // namespace dt::postmortem
