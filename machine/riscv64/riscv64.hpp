// The description of 64-bit RISC-V: registers, arguments and system calls, which suffice to compile programs for its
// kernels. Reading its code is not implemented.
#pragma once

#include "machine/machine.hpp"
#include "machine/ways.hpp"

namespace dt::machine::riscv64 {

extern const Machine kMachine;
inline constexpr Ways kWays{.new_threads_return = false, .result_address = std::nullopt};

} // namespace dt::machine::riscv64
