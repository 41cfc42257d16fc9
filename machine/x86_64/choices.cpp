// Each function that may be chosen must have its address made somewhere: relative to the instruction (lea), as a number
// (programs at a fixed address), or by a load of what the dynamic linker has put down (functions that are exported).
#include <Zydis/Zydis.h>

#include <array>

#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {

Choices choices_in(std::span<const uint8_t> code, uint64_t at)
{
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisDecodedInstruction decoded;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    Choices found;
    while (!code.empty() &&
           ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &decoded, operands.data()))) {
        const ZydisDecodedOperand& from = operands[1];
        const bool is_move = decoded.mnemonic == ZYDIS_MNEMONIC_MOV || decoded.meta.category == ZYDIS_CATEGORY_CMOV;
        ZyanU64 address = 0;
        if ((is_move || decoded.mnemonic == ZYDIS_MNEMONIC_LEA) && operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER) {
            if (from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
                found.addresses.push_back(from.imm.value.u);
            else if (from.type == ZYDIS_OPERAND_TYPE_MEMORY &&
                     ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded, &from, at, &address)))
                (is_move ? found.words : found.addresses).push_back(address);
        }
        at += decoded.length;
        code = code.subspan(decoded.length);
    }
    return found;
}

} // namespace dt::machine::x86_64
