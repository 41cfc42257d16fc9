// Functions that compiled code calls for work that is too long for inline code. They use the interpreter's own checks,
// so both executors give the same results.
#pragma once

#include <cstdint>

#include "engine/program/vm_state.hpp"

namespace dt::vm {

struct HelperEntry;

struct JitSupport {
    /// Checks the memory access of the instruction at `pc`. Returns the host address to access, or null after a
    /// failure.
    static uint8_t* access(VmState* machine, uint64_t address, uint32_t pc) noexcept;
    /// Runs a helper with machine->arguments.
    static uint64_t helper(VmState* machine, const HelperEntry* helper, uint32_t pc) noexcept;
    /// Lets the interpreter report why the instruction at `pc` fails. The registers are stored in `machine`; bit n of
    /// `live` is set if Rn holds a value.
    static void refuse(VmState* machine, uint32_t pc, uint32_t live) noexcept;
    static void over_budget(VmState* machine, uint32_t pc) noexcept;
    /// Marks all stack bytes of the newest frame as unwritten.
    static void clear_frame(VmState* machine) noexcept;
};

} // namespace dt::vm
