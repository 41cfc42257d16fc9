// Replaces calls of external functions by a nop, for the kinds of calls that compilers emit. A tail call becomes a
// return.
#include <elf.h>

#include <cstring>

#include "machine/arm64/arm64.hpp"

namespace dt::machine::arm64 {
namespace {

constexpr uint32_t kNothing = 0xd503201f, kReturnInstead = 0xd65f03c0;

/// Bit of a branch instruction that is 1 in bl, which calls, and 0 in b, which jumps.
constexpr uint32_t kIsCall = 0x80000000;
bool is_branch(uint32_t instruction)
{
    return (instruction & 0x7c000000) == 0x14000000;
}

} // namespace

bool is_call_relocation(uint32_t type)
{
    return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
}

bool replace_call(std::span<uint8_t> code, uint64_t target)
{
    if (target > code.size() || code.size() - target < kInstruction)
        return false;
    const uint32_t call = instruction_in(code.subspan(target));
    if (!is_branch(call))
        return false;
    const uint32_t instead = (call & kIsCall) != 0 ? kNothing : kReturnInstead;
    std::memcpy(&code[target], &instead, sizeof instead);
    return true;
}

bool is_replaced_call(std::span<const uint8_t> code, uint64_t target)
{
    if (target > code.size() || code.size() - target < kInstruction)
        return false;
    const uint32_t there = instruction_in(code.subspan(target));
    return there == kNothing || there == kReturnInstead;
}

} // namespace dt::machine::arm64
