// Chooses the instructions that get probes. The kernel must single-step the first instruction of most functions, but
// can emulate the next one, which costs a tenth of the time. So an entry probe is moved to the first instruction that
// can be emulated. The instructions before it must not change anything that a probe can read about the call, and no
// jump may lead past them to the probe.
//
// Some kernels replace a probed long nop by a call, whose return address may overwrite a leaf function's data below the
// stack pointer. A probe inside of a function then moves to the next instruction if every path to it passes the nop;
// otherwise it is refused.
#include "probes/user/uprobe_placement.hpp"

#include <algorithm>

namespace dt::probes {

FunctionCode::FunctionCode(std::span<const uint8_t> code, bool is_32bit)
    : FunctionCode(machine::native(), code, is_32bit)
{
}

FunctionCode::FunctionCode(const machine::Machine& machine, std::span<const uint8_t> code, bool is_32bit)
    : code_(machine.read_code(code, is_32bit))
{
}

/// Returns whether a jump in the function may lead to an offset greater than `first` and at most `last`. If `tables` is
/// set, returns true for jumps with an unknown target too, such as jumps through a jump table.
bool FunctionCode::is_jumped_into(uint32_t first, uint32_t last, bool tables) const
{
    const auto target = std::upper_bound(code_.targets.begin(), code_.targets.end(), first);
    // jumps after invalid bytes cannot be found, so there may be such a jump
    return (target != code_.targets.end() && *target <= last) || (tables && code_.jumps_anywhere) || !code_.is_whole;
}

uint32_t FunctionCode::entry_place() const
{
    const uint32_t cheapest = cheapest_entry();
    return cheapest == 0 ? permitted_entry() : cheapest;
}

/// Returns the first permitted instruction. Functions that use AVX begin with instructions to which the kernel attaches
/// no probe (vmovd, vpbroadcastb).
uint32_t FunctionCode::permitted_entry() const
{
    std::size_t i = 0;
    while (i < code_.instructions.size() && code_.instructions[i].refusal && code_.instructions[i].changes_nothing)
        ++i;
    return i == code_.instructions.size() || code_.instructions[i].refusal || is_jumped_into(0, code_.offsets[i], true)
               ? 0
               : code_.offsets[i];
}

uint32_t FunctionCode::cheapest_entry() const
{
    std::size_t i = 0;
    while (i < code_.instructions.size() && !code_.instructions[i].emulated && code_.instructions[i].changes_nothing &&
           code_.offsets[i] < machine::kFarthestEntry)
        ++i;
    if (i == code_.instructions.size() || !code_.instructions[i].emulated)
        return 0;
    // If the instruction is a push, jump tables need not be considered. They never lead to a push, because the stack
    // would grow at each jump.
    return is_jumped_into(0, code_.offsets[i], !code_.instructions[i].push) ? 0 : code_.offsets[i];
}

uint32_t FunctionCode::go_entry_place() const
{
    // A Go function's check of the stack size has three instructions: address, comparison and jump.
    constexpr std::size_t kFirst = 3;
    for (std::size_t i = 0; i + 2 < code_.instructions.size() && i < kFirst; ++i)
        if (code_.instructions[i].checks_stack && code_.instructions[i + 1].jumps_below &&
            !is_jumped_into(0, code_.offsets[i + 2], false))
            return code_.offsets[i + 2];
    return 0;
}

std::vector<uint32_t> FunctionCode::returns() const
{
    std::vector<uint32_t> returns;
    for (std::size_t i = 0; i < code_.instructions.size(); ++i)
        if (code_.instructions[i].returns)
            returns.push_back(code_.offsets[i]);
    return returns;
}

FunctionCode::Placement FunctionCode::place_of(uint32_t offset, bool clobbers) const
{
    const auto after = std::upper_bound(code_.offsets.begin(), code_.offsets.end(), offset);
    if (after == code_.offsets.begin() || (after == code_.offsets.end() && !code_.is_whole))
        // no decoded instruction contains the offset, so it is left to the kernel to accept or refuse the probe
        return {offset};
    const auto i = static_cast<std::size_t>(after - code_.offsets.begin()) - 1;
    if (code_.offsets[i] != offset)
        return {code_.offsets[i], {}, true};
    if (const char* const refusal = code_.instructions[i].refusal)
        return {offset, refusal};
    if (!clobbers || offset == 0 || !code_.instructions[i].long_nop)
        return {offset};
    const bool has_next =
        i + 1 < code_.instructions.size() && !code_.instructions[i + 1].refusal && !code_.instructions[i + 1].long_nop;
    if (has_next && !is_jumped_into(offset, code_.offsets[i + 1], true))
        return {code_.offsets[i + 1]};
    return {offset, "a probe on this nop overwrites data that the function may keep below its stack pointer"};
}

bool FunctionCode::has_long_nops() const
{
    return std::any_of(code_.instructions.begin(), code_.instructions.end(),
                       [](const machine::Instruction& each) { return each.long_nop; });
}

} // namespace dt::probes
