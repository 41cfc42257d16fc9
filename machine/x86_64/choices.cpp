// Finds the functions that an IFUNC resolver can choose. The resolver's code gets the address of each function in one
// of three ways. It computes the address relative to the instruction (lea), uses an immediate (programs at a fixed
// address), or loads a value that the dynamic linker wrote (exported functions).
#include "machine/x86_64/decode.hpp"
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {
namespace {

/// Returns whether the instruction loads a register from a register, memory or an immediate: mov, cmov.
bool is_move(const Decoded& decoded)
{
    return decoded.is_one_byte(0x8a, 1) || decoded.is_one_byte(0xb0, 15) || decoded.is_one_byte(0xa0, 1) ||
           (decoded.is_one_byte(0xc6, 1) && !decoded.is_memory && decoded.group() == 0) ||
           decoded.is_two_bytes(0x40, 15);
}

/// Returns the register's value after a mov of the immediate into it: without REX.W the upper half is zero.
uint64_t number_of(const Decoded& decoded)
{
    const auto number = static_cast<uint64_t>(decoded.immediate);
    return decoded.is_wide ? number : static_cast<uint32_t>(number);
}

/// Returns the address of a memory operand if it does not depend on general registers; `end` is the address after the
/// instruction.
std::optional<uint64_t> address_of(const Decoded& decoded, uint64_t end)
{
    const bool is_relative = decoded.base == kInstructionPointer;
    const bool is_alone = (decoded.base == kNoRegister || is_relative) && decoded.index == kNoRegister;
    if (!is_alone || (!decoded.is_memory && !decoded.is_one_byte(0xa0, 1)))
        return std::nullopt;
    return static_cast<uint64_t>(decoded.displacement) + (is_relative ? end : 0);
}

} // namespace

Choices choices_in(std::span<const uint8_t> code, uint64_t at)
{
    Choices found;
    const uint64_t begin = at, size = code.size();
    while (const std::optional<Decoded> decoded = decode(code, false)) {
        at += decoded->size;
        code = code.subspan(decoded->size);
        if (decoded->is_relative && (decoded->is_call() || decoded->is_jump())) {
            const uint64_t target = at + static_cast<uint64_t>(decoded->immediate);
            if (target - begin >= size)
                found.called.push_back(target);
            continue;
        }
        const bool moves = is_move(*decoded);
        if (!moves && !decoded->is_one_byte(0x8d)) // instruction lea
            continue;
        if (decoded->has_immediate)
            found.addresses.push_back(number_of(*decoded));
        else if (const auto address = address_of(*decoded, at))
            (moves ? found.words : found.addresses).push_back(*address);
    }
    return found;
}

} // namespace dt::machine::x86_64
