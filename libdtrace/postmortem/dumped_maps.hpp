// The maps of BPF programs in a dump: which there are, and what is in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libdtrace/postmortem/dumped_kernel.hpp"

namespace dt::postmortem {

struct DumpedMap {
    uint64_t address = 0; ///< of its struct bpf_map
    uint32_t number = 0, type = 0, key_size = 0, value_size = 0, entries = 0;
    std::string name;
};

/// Every map. An error says that the kernel's own list cannot be followed; a map of which something is missing is left
/// out.
Result<std::vector<DumpedMap>> dumped_maps(const DumpedKernel& kernel);

/// What a CPU's perf buffer holds, as it is mapped: a page of struct perf_event_mmap_page, then the data.
struct DumpedBuffer {
    uint32_t cpu = 0;
    std::vector<uint8_t> mapping;
    uint64_t reserved = 0; ///< how far programs had taken room
    uint32_t missing_pages = 0;
};

/// Of an array of perf buffers those of all CPUs that have one.
Result<std::vector<DumpedBuffer>> dumped_buffers(const DumpedKernel& kernel, const DumpedMap& map);

/// The value of the first element of an array, as much of it as there is in `bytes`; empty: it is not in the dump.
std::vector<uint8_t> dumped_value(const DumpedKernel& kernel, const DumpedMap& map, uint64_t bytes);

} // namespace dt::postmortem
