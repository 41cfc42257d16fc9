// What compiled code calls: whatever is more than a few instructions of it. These are the interpreter's own checks, so
// that both agree.
#pragma once

#include <cstdint>

#include "bpf-runtime/vm/machine.hpp"

namespace dt::vm {

struct HelperEntry;

struct JitSupport {
    /// Checks the memory access of the instruction at `pc`; where the bytes are, or null when the run has failed.
    static uint8_t* access(Machine* machine, uint64_t address, uint32_t pc) noexcept;
    /// Runs a helper with machine->arguments.
    static uint64_t helper(Machine* machine, const HelperEntry* helper, uint32_t pc) noexcept;
    /// Lets the interpreter say why the instruction at `pc` fails: registers are in the machine, bit n of `live` says
    /// that Rn holds something.
    static void refuse(Machine* machine, uint32_t pc, uint32_t live) noexcept;
    static void over_budget(Machine* machine, uint32_t pc) noexcept;
    /// Forgets which bytes of the newest frame were written.
    static void clear_frame(Machine* machine) noexcept;
};

} // namespace dt::vm
