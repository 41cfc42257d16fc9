// Words of struct pt_regs (arch/x86/include/asm/ptrace.h).
#pragma once

#include <cstdint>

namespace dt::machine::x86_64 {

enum PtRegsWord : uint32_t {
    R15,
    R14,
    R13,
    R12,
    Bp,
    Bx,
    R11,
    R10,
    R9,
    R8,
    Ax,
    Cx,
    Dx,
    Si,
    Di,
    OrigAx,
    Ip,
    Cs,
    Flags,
    Sp,
    Ss
};
inline constexpr uint32_t kPtRegsBytes = (Ss + 1) * 8;

} // namespace dt::machine::x86_64
