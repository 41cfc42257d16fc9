// Upper limits of the memory that a trace uses, by purpose.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dt::output {

struct MemoryPart {
    std::string name;
    bool in_kernel = false;   ///< true: kernel memory; false: memory of the tracer
    uint64_t most = 0;        ///< bytes
    std::string bound;        ///< limiting option or rule
    bool is_measured = false; ///< the measured base size of the process, which all its traces share
};

struct MemorySum {
    uint64_t kernel = 0, tracer = 0;
    uint64_t all() const { return kernel + tracer; }
};
MemorySum sum(std::span<const MemoryPart> parts);

/// Returns a human-readable table, largest part first.
std::string memory_table(std::vector<MemoryPart> parts);

/// Returns the few largest parts, for example "buffers of records 8,396,800 (bufsize), …".
std::string largest_parts(std::vector<MemoryPart> parts);

} // namespace dt::output
