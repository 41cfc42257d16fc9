// Kernels from 6.18 on replace a probed nop of five bytes by a call when it was hit once. The call pushes its return
// address, and a leaf function of the System V ABI may have data there. So: a function that keeps a number below its
// stack pointer across such a nop.
#include "machine/x86_64/x86_64.hpp"

#if defined(__x86_64__)
extern "C" {
long dt_red_zone_kept(void); ///< returns what it was told to keep, 1
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
