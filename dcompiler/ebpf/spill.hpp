// Spilling of virtual registers to the frame.
#pragma once

#include <vector>

#include "dcompiler/ebpf/machine.hpp"

namespace dt::ebpf {

/// State of registers that the allocator keeps between its rounds.
struct SpillState {
    enum class Role : uint8_t {
        Value,   // ordinary
        Spilled, // in a frame slot
        Carried, // holds a spilled register's value between accesses; always equal to it, so it can be dropped
        Passing, // holds a spilled register's value for a single instruction: must get a machine register
    };
    std::vector<Role> role; ///< by register
    std::vector<Reg> of;    ///< by register: the spilled register that a Carried or Passing one holds

    void grow(std::size_t registers)
    {
        role.resize(registers, Role::Value);
        of.resize(registers, kNoReg);
    }
};

/// Rewrites the function so that the registers marked in `now` live in the frame: SpillLoad before reads, SpillStore
/// after writes, with one register carrying the value between neighbouring accesses. Marked Carried registers are
/// replaced by single accesses.
void spill(MFunction& function, const std::vector<bool>& now, SpillState& state);

/// Removes frame stores that are never read, because the value was carried to its last use or is overwritten first.
/// Call it only after the last spill: a dropped carried register reads these stores.
void drop_dead_stores(MFunction& function);

} // namespace dt::ebpf
