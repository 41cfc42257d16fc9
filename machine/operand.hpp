// An assembler operand, in the forms that compilers use where a probe's note accepts any operand.
#pragma once

#include <cstdint>
#include <string>

namespace dt::machine {

struct NoteOperand {
    enum class Kind : uint8_t { Constant, Register, Memory } kind = Kind::Constant;
    static constexpr uint32_t kNoRegister = UINT32_MAX;
    uint32_t word = kNoRegister;   ///< word of struct pt_regs: the Register, or the base of Memory
    uint8_t bytes = 8;             ///< number of the Register's lowest bytes that the name means …
    bool is_second_byte = false;   ///< … or whether the name means only the second lowest byte
    uint32_t scaled = 0;           ///< index register of Memory, which is multiplied by `scale`
    uint8_t scale = 0;             ///< factor 1, 2, 4 or 8; 0 if there is no index register
    uint8_t scaled_bytes = 8;      ///< number of the lowest bytes of `scaled` that are used …
    bool is_scaled_signed = false; ///< … and whether those bytes are sign-extended
    int64_t offset = 0;            ///< offset of Memory, or value of a Constant
    std::string symbol = {};       ///< symbol whose address is added, for Memory
};

} // namespace dt::machine
