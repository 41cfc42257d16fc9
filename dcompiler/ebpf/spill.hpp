// Moving virtual registers to the frame when the machine has too few.
#pragma once

#include <vector>

#include "dcompiler/ebpf/machine.hpp"

namespace dt::ebpf {

/// What the allocator remembers of registers between its rounds.
struct SpillState {
    enum class Role : uint8_t {
        Value,   // ordinary
        Spilled, // lives in the frame
        Carried, // holds a spilled one from one access to the next; always equal to it, so it can be given up
        Passing, // holds a spilled one for a single instruction: must get a machine register
    };
    std::vector<Role> role; ///< by register
    std::vector<Reg> of;    ///< by register: the spilled one that a Carried or Passing one holds

    void grow(std::size_t registers)
    {
        role.resize(registers, Role::Value);
        of.resize(registers, kNoReg);
    }
};

/// Rewrites the function so that the registers marked in `now` live in the frame: SpillLoad before reads, SpillStore
/// after writes, with one register carrying the value between neighbouring accesses. Carried ones marked in `now` are
/// dissolved into single accesses.
void spill(MFunction& function, const std::vector<bool>& now, SpillState& state);

/// Removes frame stores that nothing reads: the value was carried to its last use, or is stored again first. Only when
/// no more spills will follow: a carried register that is given up reads them.
void drop_dead_stores(MFunction& function);

} // namespace dt::ebpf
