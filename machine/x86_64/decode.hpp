// Decodes one instruction of x86-64: its length, opcode, prefixes, and the operands that ModRM and SIB name.
//
// Probes, choices of indirect functions and annotations need these facts for every function that is probed, so the
// decoder is the project's own: it opens no library and knows the lengths of AVX-512 instructions whatever library
// writes the text (docs/decisions/12-libraries.md). Reference: Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 2, chapter 2 and appendix A.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace dt::machine::x86_64 {

inline constexpr uint8_t kNoRegister = 0xff, kInstructionPointer = 0xfe;
inline constexpr uint8_t kRax = 0, kRsp = 4, kR10 = 10, kR11 = 11, kR14 = 14;

enum class OpcodeMap : uint8_t {
    OneByte,
    TwoBytes, ///< 0f
    Bytes38,  ///< 0f 38
    Bytes3a,  ///< 0f 3a
    Vector,   ///< behind a prefix of VEX, EVEX or XOP
};

struct Decoded {
    OpcodeMap map = OpcodeMap::OneByte;
    uint8_t opcode = 0;
    uint8_t size = 0;       ///< bytes of the whole instruction
    uint8_t vector_map = 0; ///< of VEX and EVEX: 1 for opcodes behind 0f, 2 for 0f 38, 3 for 0f 3a

    bool has_segment = false; ///< 26, 2e, 36 or 3e; fs and gs are other prefixes
    bool has_notrack = false; ///< 3e
    bool has_lock = false, has_repeat = false, has_repeat_not = false, has_small_operand = false;
    bool is_wide = false;              ///< REX.W
    bool has_rex = false;              ///< so spl, bpl, sil and dil take the place of ah, ch, dh and bh
    bool extends_short_opcode = false; ///< REX.B

    bool has_modrm = false;
    bool is_memory = false; ///< the operand that ModRM.rm names; otherwise that is the register `rm`
    uint8_t modrm = 0;
    uint8_t reg = 0; ///< a register, or in the low three bits more of the opcode
    uint8_t rm = 0;
    uint8_t base = kNoRegister, index = kNoRegister;
    int64_t displacement = 0; ///< of memory; and the whole address of movabs

    bool has_immediate = false;
    int64_t immediate = 0; ///< sign-extended; with is_relative, the distance from the end of the instruction
    bool is_relative = false;

    uint8_t group() const { return reg & 7; } ///< the opcode's extension in ModRM.reg
    bool is(OpcodeMap of, uint8_t code) const { return map == of && opcode == code; }
    /// Whether the opcode of one byte is `first` with any value in the bits of `free`.
    bool is_one_byte(uint8_t first, uint8_t free = 0) const
    {
        return map == OpcodeMap::OneByte && (opcode & ~free) == first;
    }
    bool is_two_bytes(uint8_t first, uint8_t free = 0) const
    {
        return map == OpcodeMap::TwoBytes && (opcode & ~free) == first;
    }

    bool is_call() const;
    bool is_jump() const;             ///< direct or not, conditional or not
    bool is_conditional_jump() const; ///< which is always direct
};

/// Decodes the instruction that begins the bytes. Nothing: they begin with none, or end within it.
std::optional<Decoded> decode(std::span<const uint8_t> bytes, bool is_narrow);

} // namespace dt::machine::x86_64
