// Instructions as text, by Capstone, which only those need who look at code: it is opened then, and where it is not
// installed instructions are shown as numbers.
#include <capstone/capstone.h>

#include <cstdio>

#include "base/shared_library.hpp"
#include "machine/arm64/arm64.hpp"

namespace dt::machine::arm64 {
namespace {

struct Capstone {
    decltype(&cs_open) open = nullptr;
    decltype(&cs_close) close = nullptr;
    decltype(&cs_disasm) disassemble = nullptr;
    decltype(&cs_free) free = nullptr;
    bool is_there = false;

    Capstone()
    {
        void* const library = dlopen("libcapstone.so.4", RTLD_NOW | RTLD_LOCAL);
        is_there = library && find_function(library, open, "cs_open") && find_function(library, close, "cs_close") &&
                   find_function(library, disassemble, "cs_disasm") && find_function(library, free, "cs_free");
    }
};

/// Of one instruction. Those that Capstone does not know yet are numbers.
class Disassembler {
public:
    Disassembler() : is_open_(library().is_there && library().open(CS_ARCH_ARM64, CS_MODE_ARM, &handle_) == CS_ERR_OK)
    {
    }
    ~Disassembler()
    {
        if (is_open_)
            library().close(&handle_);
    }
    Disassembler(const Disassembler&) = delete;
    Disassembler& operator=(const Disassembler&) = delete;

    std::string text(std::span<const uint8_t> code, uint64_t address, bool without_operands) const
    {
        cs_insn* found = nullptr;
        if (is_open_ && library().disassemble(handle_, code.data(), kInstruction, address, 1, &found) == 1) {
            std::string text = found->mnemonic;
            if (!without_operands && found->op_str[0] != '\0')
                text += std::string(" ") + found->op_str;
            library().free(found, 1);
            return text;
        }
        char number[24];
        std::snprintf(number, sizeof number, ".inst 0x%08x", instruction_in(code));
        return number;
    }

private:
    static const Capstone& library()
    {
        static const Capstone opened;
        return opened;
    }

    csh handle_ = 0;
    bool is_open_;
};

} // namespace

std::vector<InstructionText> disassemble(std::span<const uint8_t> code, uint64_t address)
{
    const Disassembler disassembler;
    std::vector<InstructionText> texts;
    for (std::size_t at = 0; at < code.size(); at += kInstruction) {
        InstructionText& made = texts.emplace_back();
        made.offset = static_cast<uint32_t>(at);
        if (code.size() - at < kInstruction) {
            made.text = ".byte";
            continue;
        }
        const std::span<const uint8_t> here = code.subspan(at, kInstruction);
        const std::optional<DirectJump> jump = direct_jump(instruction_in(here));
        made.is_call = jump && jump->is_call;
        // cbz and tbz have operands before the target, which readers want to see.
        made.text = disassembler.text(here, address + at, jump && jump->is_target_alone);
        if (jump && jump->is_target_alone)
            made.target = address + at + static_cast<uint64_t>(jump->distance);
    }
    return texts;
}

} // namespace dt::machine::arm64
