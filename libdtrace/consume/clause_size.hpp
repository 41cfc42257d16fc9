// Size of a clause in the kernel, for the report of -x cost.
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace dt::consume {

struct ClauseSize {
    uint64_t instructions = 0; ///< BPF instructions including called functions, in the largest of the clause's programs
    /// stack bytes from the start of the program to the deepest call, in the program with the largest stack
    uint32_t stack = 0;
    std::set<uint32_t> maps; ///< ids of the maps that it uses, in all its programs
};

using ClauseSizes = std::map<uint32_t, ClauseSize>; ///< sizes by statement id

} // namespace dt::consume
