// An assembler operand, in the forms that compilers use where a probe's note accepts any operand.
#pragma once

#include <cstdint>
#include <string>

namespace dt::machine {

struct NoteOperand {
    enum class Kind : uint8_t { Constant, Register, Memory } kind = Kind::Constant;
    static constexpr uint32_t kNoRegister = UINT32_MAX;
    uint32_t word = kNoRegister;   ///< Register, or base of Memory: a word of struct pt_regs
    uint8_t bytes = 8;             ///< Register: number of its lowest bytes that the name means …
    bool is_second_byte = false;   ///< … or whether the name means only the second lowest byte
    uint32_t scaled = 0;           ///< Memory: + this register * `scale`
    uint8_t scale = 0;             ///< 1, 2, 4, 8, or 0: no such register
    uint8_t scaled_bytes = 8;      ///< number of the lowest bytes of `scaled` that are used …
    bool is_scaled_signed = false; ///< … and whether those bytes are sign-extended
    int64_t offset = 0;            ///< Memory: + this; Constant: the value
    std::string symbol = {};       ///< Memory: + the address of this symbol
};

} // namespace dt::machine
