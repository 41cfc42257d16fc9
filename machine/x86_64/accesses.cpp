// Finds loads and calculations of addresses in code.
#include "machine/x86_64/decode.hpp"
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {

std::vector<Access> read_accesses(std::span<const uint8_t> code)
{
    std::vector<Access> accesses;
    for (std::size_t at = 0; at < code.size();) {
        const auto decoded = decode(code.subspan(at), false);
        if (!decoded)
            break;
        at += decoded->size;
        const bool is_load = decoded->is_one_byte(0x8b); // opcode 8b is mov to a register; 8d is lea
        if ((!is_load && !decoded->is_one_byte(0x8d)) || !decoded->is_memory || !decoded->is_wide ||
            decoded->index != kNoRegister || decoded->base == kNoRegister)
            continue;
        if (decoded->base == kInstructionPointer)
            accesses.push_back(
                {is_load, decoded->reg, Access::kFunctionStart, decoded->displacement + static_cast<int64_t>(at)});
        else
            accesses.push_back({is_load, decoded->reg, decoded->base, decoded->displacement});
    }
    return accesses;
}

} // namespace dt::machine::x86_64
