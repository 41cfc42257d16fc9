// Code that tests whether the red zone is safe. Kernels from 6.18 on replace a probed five-byte nop by a call after its
// first hit. The call pushes its return address onto memory in which a leaf function of the System V ABI may have data.
// So this function stores a value below its stack pointer and runs such a nop.
#include "machine/x86_64/x86_64.hpp"

#if defined(__x86_64__)
extern "C" {
long dt_red_zone_kept(void); ///< returns the value that is below the stack pointer after the nop: 1 if it is unchanged
extern const char dt_red_zone_nop[];
}
asm(".pushsection .text\n"
    ".balign 32\n"
    ".type dt_red_zone_kept, @function\n"
    "dt_red_zone_kept:\n"
    "  movq $1, -8(%rsp)\n"
    "dt_red_zone_nop:\n"
    "  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    "  movq -8(%rsp), %rax\n"
    "  ret\n"
    ".size dt_red_zone_kept, . - dt_red_zone_kept\n"
    ".popsection\n");

namespace dt::machine::x86_64 {

std::optional<RedZoneTrial> red_zone_trial()
{
    return RedZoneTrial{dt_red_zone_kept, dt_red_zone_nop};
}

} // namespace dt::machine::x86_64
#endif
