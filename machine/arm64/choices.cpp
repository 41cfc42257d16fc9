// Finds the functions that an IFUNC resolver can choose. The resolver's code computes the address of each function from
// a page and an offset in the page (adrp, add), or from the distance to the instruction (adr). Or it loads a value that
// the dynamic linker wrote (adrp, ldr). A page address is assumed to stay in its register, because resolvers are short
// and each pair of instructions uses a register of its own.
#include <array>
#include <optional>

#include "machine/arm64/arm64.hpp"

namespace dt::machine::arm64 {
namespace {

constexpr unsigned kRegisters = 32;

/// Returns the distance that an adr or adrp instruction contains, which has 21 bits. The two lowest bits are stored
/// separately from the upper 19 bits.
int64_t distance_of_address(uint32_t instruction)
{
    const uint64_t bits = ((instruction >> 3) & 0x1ffffc) | ((instruction >> 29) & 3);
    return static_cast<int64_t>(bits << 43) >> 43;
}

} // namespace

Choices choices_in(std::span<const uint8_t> code, uint64_t at)
{
    constexpr uint64_t kPage = 4096; // page size of adrp, independent of the kernel's page size
    std::array<std::optional<uint64_t>, kRegisters> pages;
    Choices found;
    const uint64_t begin = at, size = code.size();
    for (; code.size() >= kInstruction; code = code.subspan(kInstruction), at += kInstruction) {
        const uint32_t instruction = instruction_in(code), to = instruction % kRegisters,
                       from = (instruction >> 5) % kRegisters, number = (instruction >> 10) & 0xfff;
        if ((instruction & 0x9f000000) == 0x90000000) // instruction adrp
            pages[to] = (at & ~(kPage - 1)) + kPage * static_cast<uint64_t>(distance_of_address(instruction));
        else if ((instruction & 0x9f000000) == 0x10000000) // instruction adr
            found.addresses.push_back(at + static_cast<uint64_t>(distance_of_address(instruction)));
        else if ((instruction & 0xffc00000) == 0x91000000 && pages[from]) // instruction add
            found.addresses.push_back(*pages[from] + number);
        else if ((instruction & 0xffc00000) == 0xf9400000 && pages[from]) // instruction ldr
            found.words.push_back(*pages[from] + 8 * uint64_t{number});
        else if ((instruction & 0x7c000000) == 0x14000000) { // instructions b, bl
            const uint64_t target = at + static_cast<uint64_t>(static_cast<int64_t>(uint64_t{instruction} << 38) >> 36);
            if (target - begin >= size)
                found.called.push_back(target);
        }
    }
    return found;
}

} // namespace dt::machine::arm64
