// Words of struct pt_regs (arch/arm64/include/asm/ptrace.h): x0 to x30 come first, at their numbers.
#pragma once

#include <cstdint>

namespace dt::machine::arm64 {

enum PtRegsWord : uint32_t { X0 = 0, X29 = 29, X30 = 30, Sp, Pc, Pstate, OrigX0, SyscallNumber };

/// Size in bytes of the part of struct pt_regs whose layout is equal in all kernels. The members after that part
/// differ.
inline constexpr uint32_t kPtRegsBytes = (SyscallNumber + 1) * 8;

} // namespace dt::machine::arm64
