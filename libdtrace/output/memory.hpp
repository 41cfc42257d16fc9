// What a trace may take of memory, in parts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dt::output {

struct MemoryPart {
    std::string name;
    bool in_kernel = false;   ///< else in the tracer
    uint64_t most = 0;        ///< bytes
    std::string bound;        ///< what keeps it below: an option, or a rule
    bool is_measured = false; ///< the process as it is, which traces in one process share
};

struct MemorySum {
    uint64_t kernel = 0, tracer = 0;
    uint64_t all() const { return kernel + tracer; }
};
MemorySum sum(std::span<const MemoryPart> parts);

/// Lines for a person, the largest part first.
std::string memory_table(std::vector<MemoryPart> parts);

/// "buffers of records 8,396,800 (bufsize), …": the largest few.
std::string largest_parts(std::vector<MemoryPart> parts);

} // namespace dt::output
