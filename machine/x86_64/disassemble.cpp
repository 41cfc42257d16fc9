// Disassembles code in Intel's syntax. The text omits the targets of direct jumps and calls, because the caller can
// show names for these addresses.
#include <cstdio>

#include "machine/instruction_text.hpp"
#include "machine/x86_64/decode.hpp"
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine::x86_64 {
namespace {

/// Returns a .byte directive: the text for an instruction that is invalid or unknown to the library.
std::string byte_text(std::span<const uint8_t> bytes)
{
    std::string text = ".byte";
    for (const uint8_t byte : bytes) {
        char number[8];
        std::snprintf(number, sizeof number, " 0x%02x", byte);
        text += (text.ends_with("e") ? "" : ",") + std::string(number);
    }
    return text;
}

} // namespace

std::vector<InstructionText> disassemble(std::span<const uint8_t> code, uint64_t address)
{
    const InstructionWriter writer(InstructionSet::X86_64);
    std::vector<InstructionText> texts;
    for (std::size_t at = 0; at < code.size();) {
        const std::optional<Decoded> instruction = decode(code.subspan(at), false);
        const std::span<const uint8_t> bytes = code.subspan(at, instruction ? instruction->size : 1);
        InstructionText& made = texts.emplace_back();
        made.offset = static_cast<uint32_t>(at);
        at += bytes.size();
        if (!instruction) {
            made.text = byte_text(bytes);
            continue;
        }
        made.is_call = instruction->is_call();
        if (instruction->is_relative)
            made.target = address + at + static_cast<uint64_t>(instruction->immediate);
        made.text = writer.text(bytes, address + made.offset, made.target.has_value()).value_or(byte_text(bytes));
    }
    return texts;
}

} // namespace dt::machine::x86_64
