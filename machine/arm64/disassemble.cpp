// Disassembles code. Instructions that Capstone does not know are shown as numbers.
#include <cstdio>

#include "machine/arm64/arm64.hpp"
#include "machine/instruction_text.hpp"

namespace dt::machine::arm64 {
namespace {

std::string number_text(uint32_t instruction)
{
    char number[24];
    std::snprintf(number, sizeof number, ".inst 0x%08x", instruction);
    return number;
}

/// Tracks the address that consecutive instructions form in a register. The kernel's BPF compiler calls distant
/// functions by such sequences: movn or movz, then movk as needed, blr (emit_call(), arch/arm64/net/bpf_jit_comp.c).
class MadeAddress {
public:
    void follow(uint32_t instruction)
    {
        constexpr Pattern kMovn{0xff800000, 0x92800000}, kMovz{0xff800000, 0xd2800000}, kMovk{0xff800000, 0xf2800000};
        const uint32_t to = instruction & 0x1f, shift = (instruction >> 21 & 3) * 16;
        const uint64_t bits = uint64_t{instruction >> 5 & 0xffff} << shift;
        if (kMovz.is(instruction) || kMovn.is(instruction)) {
            register_ = to;
            value_ = kMovn.is(instruction) ? ~bits : bits;
        } else if (kMovk.is(instruction) && register_ == to) {
            value_ = (value_ & ~(uint64_t{0xffff} << shift)) | bits;
        } else {
            register_ = kNone;
        }
    }
    std::optional<uint64_t> in(uint32_t number) const
    {
        return register_ == number ? std::optional(value_) : std::nullopt;
    }

private:
    static constexpr uint32_t kNone = 32;
    uint32_t register_ = kNone;
    uint64_t value_ = 0;
};

} // namespace

std::vector<InstructionText> disassemble(std::span<const uint8_t> code, uint64_t address)
{
    constexpr Pattern kCallByRegister{0xfffffc1f, 0xd63f0000};
    const InstructionWriter writer(InstructionSet::Arm64);
    MadeAddress made_before;
    std::vector<InstructionText> texts;
    for (std::size_t at = 0; at < code.size(); at += kInstruction) {
        InstructionText& made = texts.emplace_back();
        made.offset = static_cast<uint32_t>(at);
        if (code.size() - at < kInstruction) {
            made.text = ".byte";
            continue;
        }
        const std::span<const uint8_t> here = code.subspan(at, kInstruction);
        const uint32_t instruction = instruction_in(here);
        const std::optional<DirectJump> jump = direct_jump(instruction);
        const bool calls_by_register = kCallByRegister.is(instruction);
        made.is_call = calls_by_register || (jump && jump->is_call);
        // A target is removed from the instruction's text only if the instruction has no other operands. cbz and tbz
        // have operands before the target, which users need to see.
        if (jump && jump->is_target_alone)
            made.target = address + at + static_cast<uint64_t>(jump->distance);
        else if (calls_by_register)
            made.target = made_before.in(instruction >> 5 & 0x1f);
        made.text = writer.text(here, address + at, made.target.has_value()).value_or(number_text(instruction));
        made_before.follow(instruction);
    }
    return texts;
}

} // namespace dt::machine::arm64
