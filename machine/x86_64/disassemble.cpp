// Instructions as text, as the processor's manuals write them (Intel's syntax). Where a jump or call leads is left to
// the reader, who knows names of addresses.
#include <Zydis/Zydis.h>

#include <array>
#include <cstdio>

#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {
namespace {

constexpr std::size_t kMostText = 128, kWordBits = 64;

std::string byte_text(uint8_t byte)
{
    char text[16];
    std::snprintf(text, sizeof text, ".byte 0x%02x", byte);
    return text;
}

/// A whole word is an address, a smaller number is extended by its sign.
ZydisFormatter make_formatter(ZydisSignedness signedness)
{
    ZydisFormatter formatter;
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_IMM_SIGNEDNESS, signedness);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
    return formatter;
}

} // namespace

std::vector<InstructionText> disassemble(std::span<const uint8_t> code, uint64_t address)
{
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    const ZydisFormatter small = make_formatter(ZYDIS_SIGNEDNESS_SIGNED),
                         whole = make_formatter(ZYDIS_SIGNEDNESS_UNSIGNED);
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    std::vector<InstructionText> texts;
    for (std::size_t at = 0; at < code.size();) {
        InstructionText& text = texts.emplace_back();
        text.offset = static_cast<uint32_t>(at);
        if (ZYAN_FAILED(
                ZydisDecoderDecodeFull(&decoder, code.data() + at, code.size() - at, &instruction, operands.data()))) {
            text.text = byte_text(code[at]);
            ++at;
            continue;
        }
        const uint64_t here = address + at;
        at += instruction.length;
        text.is_call = instruction.meta.category == ZYDIS_CATEGORY_CALL;
        if (const auto& distance = instruction.raw.imm[0]; distance.is_relative) {
            text.text = ZydisMnemonicGetString(instruction.mnemonic);
            text.target = address + at + static_cast<uint64_t>(distance.value.s);
            continue;
        }
        const bool has_whole_word = instruction.raw.imm[0].size == kWordBits;
        char buffer[kMostText];
        if (ZYAN_SUCCESS(ZydisFormatterFormatInstruction(has_whole_word ? &whole : &small, &instruction,
                                                         operands.data(), instruction.operand_count_visible, buffer,
                                                         sizeof buffer, here, nullptr)))
            text.text = buffer;
    }
    return texts;
}

} // namespace dt::machine::x86_64
