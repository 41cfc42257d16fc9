// Moving virtual registers to the frame when the machine has too few.
#pragma once

#include <vector>

#include "dcompiler/ebpf/machine.hpp"

namespace dt::ebpf {

/// What the allocator remembers between its rounds.
struct SpillState {
    std::vector<bool> spilled;  ///< by register: lives in the frame
    std::vector<bool> passing;  ///< by register: holds a spilled one for a few instructions and cannot itself be spilled
};

/// Rewrites the function so that the registers marked in `now` live in the frame: SpillLoad before reads, SpillStore after writes, with
/// one short-lived register shared by neighbouring accesses. Marks them in `state`.
void spill(MFunction& function, const std::vector<bool>& now, SpillState& state);

} // namespace dt::ebpf
