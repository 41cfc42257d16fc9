// An operand of an assembler, as far as a compiler puts one where a probe's note asks for "any operand".
#pragma once

#include <cstdint>
#include <string>

namespace dt::machine {

struct NoteOperand {
    enum class Kind : uint8_t { Constant, Register, Memory } kind = Kind::Constant;
    static constexpr uint32_t kNoRegister = UINT32_MAX;
    uint32_t word = kNoRegister;   ///< Register, and what memory is counted from: a word of struct pt_regs
    uint8_t bytes = 8;             ///< Register: of it that the name means, those of the lowest value …
    bool is_second_byte = false;   ///< … or the byte above the lowest
    uint32_t scaled = 0;           ///< Memory: + this register * `scale`
    uint8_t scale = 0;             ///< 1, 2, 4, 8, or 0: no such register
    uint8_t scaled_bytes = 8;      ///< of `scaled` that count, the lowest …
    bool is_scaled_signed = false; ///< … whose sign is extended
    int64_t offset = 0;            ///< Memory: + this; Constant: itself
    std::string symbol = {};       ///< Memory: + the address of this symbol
};

} // namespace dt::machine
