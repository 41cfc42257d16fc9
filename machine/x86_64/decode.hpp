// Decodes one instruction of x86-64: its length, opcode, prefixes, and the operands of ModRM and SIB.
//
// Every probed function is decoded; other users of the decoder are IFUNC resolvers and annotations. So the decoder is
// the project's own: it needs no library, and it supports AVX-512 independently of the disassembler library's version
// (docs/decisions/12-libraries.md). Reference: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2,
// chapter 2 and appendix A.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace dt::machine::x86_64 {

inline constexpr uint8_t kNoRegister = 0xff, kInstructionPointer = 0xfe;
inline constexpr uint8_t kRax = 0, kRsp = 4, kR10 = 10, kR11 = 11, kR14 = 14;

enum class OpcodeMap : uint8_t {
    OneByte,
    TwoBytes, ///< opcodes after 0f
    Bytes38,  ///< opcodes after 0f 38
    Bytes3a,  ///< opcodes after 0f 3a
    Vector,   ///< opcodes after a VEX, EVEX or XOP prefix
};

struct Decoded {
    OpcodeMap map = OpcodeMap::OneByte;
    uint8_t opcode = 0;
    uint8_t size = 0;       ///< size of the whole instruction in bytes
    uint8_t vector_map = 0; ///< opcode map of VEX and EVEX: 1 for 0f, 2 for 0f 38, 3 for 0f 3a

    /// whether the instruction has a prefix 26, 2e, 36 or 3e; fs and gs prefixes (64, 65) do not count
    bool has_segment = false;
    bool has_notrack = false; ///< whether the instruction has prefix 3e (notrack)
    bool has_lock = false, has_repeat = false, has_repeat_not = false, has_small_operand = false;
    bool is_wide = false;              ///< whether the instruction has prefix REX.W
    bool has_rex = false;              ///< whether byte registers 4 to 7 are spl, bpl, sil and dil, not ah to bh
    bool extends_short_opcode = false; ///< whether the instruction has prefix REX.B

    bool has_modrm = false;
    bool is_memory = false; ///< whether ModRM.rm is a memory operand; otherwise it is the register `rm`
    uint8_t modrm = 0;
    uint8_t reg = 0; ///< ModRM.reg: a register, or an opcode extension in its low three bits
    uint8_t rm = 0;
    uint8_t base = kNoRegister, index = kNoRegister;
    int64_t displacement = 0; ///< displacement of a memory operand; the whole address for movabs

    bool has_immediate = false;
    int64_t immediate = 0; ///< sign-extended immediate; with is_relative, the distance from the end of the instruction
    bool is_relative = false;

    uint8_t group() const { return reg & 7; } ///< low three bits of ModRM.reg, which extend the opcode
    bool is(OpcodeMap of, uint8_t code) const { return map == of && opcode == code; }
    /// Returns whether the opcode has one byte, and this byte equals `first` apart from the bits set in `free`.
    bool is_one_byte(uint8_t first, uint8_t free = 0) const
    {
        return map == OpcodeMap::OneByte && (opcode & ~free) == first;
    }
    bool is_two_bytes(uint8_t first, uint8_t free = 0) const
    {
        return map == OpcodeMap::TwoBytes && (opcode & ~free) == first;
    }

    bool is_call() const;
    /// returns whether the instruction is any jump: direct or indirect, conditional or not
    bool is_jump() const;
    bool is_conditional_jump() const; ///< returns whether the instruction is a conditional jump, which is always direct
};

/// Decodes the first instruction. Returns nothing if the instruction is invalid or truncated.
std::optional<Decoded> decode(std::span<const uint8_t> bytes, bool is_narrow);

} // namespace dt::machine::x86_64
