// The description of 64-bit RISC-V: where registers, arguments and system calls are, so that programs can be compiled
// for its kernels. Its code is not read yet.
#pragma once

#include "machine/machine.hpp"
#include "machine/ways.hpp"

namespace dt::machine::riscv64 {

extern const Machine kMachine;
inline constexpr Ways kWays{.new_threads_return = false, .result_address = std::nullopt};

} // namespace dt::machine::riscv64
