// BPF maps in a kernel dump: the list of maps and their contents.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libdtrace/postmortem/dumped_kernel.hpp"

namespace dt::postmortem {

struct DumpedMap {
    uint64_t address = 0; ///< address of its struct bpf_map
    uint32_t number = 0, type = 0, key_size = 0, value_size = 0, entries = 0;
    std::string name;
};

/// Returns all maps that can be read completely. Fails if the kernel's list of maps cannot be followed.
Result<std::vector<DumpedMap>> dumped_maps(const DumpedKernel& kernel);

/// Contents of one CPU's perf buffer, in the layout of its mapping: a page of struct perf_event_mmap_page, then the
/// data.
struct DumpedBuffer {
    uint32_t cpu = 0;
    std::vector<uint8_t> mapping;
    uint64_t reserved = 0; ///< position up to which programs had reserved space
    uint32_t missing_pages = 0;
};

/// Returns the perf buffers in an array, for all CPUs that have one.
Result<std::vector<DumpedBuffer>> dumped_buffers(const DumpedKernel& kernel, const DumpedMap& map);

/// Returns up to `bytes` bytes of an array's first element, or nothing if they are not in the dump.
std::vector<uint8_t> dumped_value(const DumpedKernel& kernel, const DumpedMap& map, uint64_t bytes);

} // namespace dt::postmortem
