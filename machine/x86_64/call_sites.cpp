// Replaces calls of external functions by no-ops, for the kinds of calls that compilers emit.
#include <elf.h>

#include <algorithm>

#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {
namespace {

constexpr uint8_t kNop = 0x90, kReturn = 0xc3;

/// Encoding of a call of an external function, before the four bytes of the relocation.
struct CallForm {
    uint8_t bytes[2];
    std::size_t size;
    bool is_jump;
};
constexpr CallForm kCallForms[] = {
    {{0xff, 0x15}, 2, false}, // call *f@GOTPCREL(%rip)
    {{0xff, 0x25}, 2, true},  // jmp *f@GOTPCREL(%rip)
    {{0xe8, 0}, 1, false},    // call f
    {{0xe9, 0}, 1, true},     // jmp f
};
constexpr std::size_t kTarget = 4;

} // namespace

bool is_call_relocation(uint32_t type)
{
    return type == R_X86_64_PLT32 || type == R_X86_64_PC32 || type == R_X86_64_GOTPCRELX || type == R_X86_64_GOTPCREL;
}

bool replace_call(std::span<uint8_t> code, uint64_t target)
{
    for (const CallForm& form : kCallForms) {
        if (target < form.size || target + kTarget > code.size() ||
            !std::equal(form.bytes, form.bytes + form.size, code.begin() + (target - form.size)))
            continue;
        const std::span<uint8_t> call = code.subspan(target - form.size, form.size + kTarget);
        std::fill(call.begin(), call.end(), kNop);
        if (form.is_jump)
            code[target] = kReturn;
        return true;
    }
    return false;
}

bool is_replaced_call(std::span<const uint8_t> code, uint64_t target)
{
    return target >= kSiteBeforeTarget && target + kTarget <= code.size() && code[target - kSiteBeforeTarget] == kNop &&
           code[target + kTarget - 1] == kNop && (code[target] == kNop || code[target] == kReturn);
}

} // namespace dt::machine::x86_64
