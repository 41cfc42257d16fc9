// What a clause is made of in the kernel (-x cost).
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace dt::consume {

struct ClauseSize {
    uint64_t instructions = 0; ///< BPF instructions, with the functions that it calls; in the program with most of them
    uint32_t stack = 0;        ///< bytes, from the beginning of the program to the deepest call; likewise
    std::set<uint32_t> maps;   ///< ids of those that it uses, in all programs
};

using ClauseSizes = std::map<uint32_t, ClauseSize>; ///< by statement

} // namespace dt::consume
