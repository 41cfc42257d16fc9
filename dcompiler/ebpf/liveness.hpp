// Liveness of registers: the ranges in which a register holds a value that will be read.
//
// Positions: instruction i of the layout reads at 2i and writes at 2i + 1. Ranges are half open, so a value last read
// by an instruction and the value it writes may share a register. Machine registers have ranges too, from the moves and
// calls that use them.
#pragma once

#include <cstdint>
#include <vector>

#include "dcompiler/ebpf/machine.hpp"

namespace dt::ebpf {

struct LiveRange {
    uint32_t from = 0, to = 0;
};

/// Ranges in ascending order, disjoint, not touching.
using Interval = std::vector<LiveRange>;

bool overlap(const Interval& a, const Interval& b);

struct Liveness {
    std::vector<Interval> intervals; ///< by register number, machine registers 0..10 included
    std::vector<uint32_t> first;     ///< index of each block's first instruction in the layout
    uint32_t instructions = 0;
};

/// Returns the live virtual registers at the end of each block.
std::vector<std::vector<Reg>> live_at_end(const MFunction& function);

/// Computes the live intervals. Cost: the sum over all values of the blocks in which each is live.
Liveness live_intervals(const MFunction& function);

} // namespace dt::ebpf
