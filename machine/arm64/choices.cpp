// Each function that may be chosen must have its address made somewhere: of a page and an offset in it (adrp, add), as
// a distance (adr), or by a load of what the dynamic linker has put down (adrp, ldr). Choosers are short and have such
// pairs close together, each in a register of its own.
#include <array>
#include <optional>

#include "machine/arm64/arm64.hpp"

namespace dt::machine::arm64 {
namespace {

constexpr unsigned kRegisters = 32;

/// Of adr and adrp: 21 bits, the two lowest of which stand apart.
int64_t distance_of_address(uint32_t instruction)
{
    const uint64_t bits = ((instruction >> 3) & 0x1ffffc) | ((instruction >> 29) & 3);
    return static_cast<int64_t>(bits << 43) >> 43;
}

} // namespace

Choices choices_in(std::span<const uint8_t> code, uint64_t at)
{
    constexpr uint64_t kPage = 4096; // adrp's, whatever the kernel's pages are
    std::array<std::optional<uint64_t>, kRegisters> pages;
    Choices found;
    const uint64_t begin = at, size = code.size();
    for (; code.size() >= kInstruction; code = code.subspan(kInstruction), at += kInstruction) {
        const uint32_t instruction = instruction_in(code), to = instruction % kRegisters,
                       from = (instruction >> 5) % kRegisters, number = (instruction >> 10) & 0xfff;
        if ((instruction & 0x9f000000) == 0x90000000) // adrp
            pages[to] = (at & ~(kPage - 1)) + kPage * static_cast<uint64_t>(distance_of_address(instruction));
        else if ((instruction & 0x9f000000) == 0x10000000) // adr
            found.addresses.push_back(at + static_cast<uint64_t>(distance_of_address(instruction)));
        else if ((instruction & 0xffc00000) == 0x91000000 && pages[from]) // add
            found.addresses.push_back(*pages[from] + number);
        else if ((instruction & 0xffc00000) == 0xf9400000 && pages[from]) // ldr
            found.words.push_back(*pages[from] + 8 * uint64_t{number});
        else if ((instruction & 0x7c000000) == 0x14000000) { // b, bl
            const uint64_t target = at + static_cast<uint64_t>(static_cast<int64_t>(uint64_t{instruction} << 38) >> 36);
            if (target - begin >= size)
                found.called.push_back(target);
        }
    }
    return found;
}

} // namespace dt::machine::arm64
