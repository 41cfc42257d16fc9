// BPF's operators by opcode, and decoding of instruction fields (instruction set standard, RFC 9669). 32-bit results
// are zero-extended. Division by 0 gives 0, modulo by 0 the dividend. Shift counts use their low bits.
#pragma once

#include <linux/bpf.h>

#include <cstdint>

#include "base/kernel_abi.hpp"

namespace dt::vm {

using Operator = uint64_t (*)(uint64_t left, uint64_t right);
using Comparison = bool (*)(uint64_t left, uint64_t right);

/// Return the operator for BPF_OP(code) and the instruction's offset field, which selects signed division and
/// sign-extending moves; null if unknown.
Operator operator64(uint8_t op, int16_t offset);
Operator operator32(uint8_t op, int16_t offset);
/// Returns the operator of an atomic instruction for its immediate, from which BPF_FETCH has been removed.
Operator atomic_operator(int32_t op);
/// Executes an atomic instruction of 4 or 8 bytes; `operation` is its valid immediate. The bytes are aligned, and other
/// threads may change them at the same time. Returns the previous value.
uint64_t combine_atomically(uint8_t* place, uint32_t width, int32_t operation, uint64_t expected, uint64_t source);
Comparison comparison64(uint8_t op);
Comparison comparison32(uint8_t op);

uint64_t sign_extend(uint64_t value, uint32_t bits);

inline constexpr uint8_t kFrameRegister = 10;
inline constexpr uint16_t kArguments = 0x3e; // bit mask of the argument registers: bits 1 to 5 for R1 to R5
using abi::kModeMemSx;

inline uint32_t width_of(uint8_t code)
{
    switch (BPF_SIZE(code)) {
    case BPF_B:
        return 1;
    case BPF_H:
        return 2;
    case BPF_W:
        return 4;
    default:
        return 8;
    }
}

inline bool is_shift(uint8_t op)
{
    return op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH;
}

inline bool is_atomic(const bpf_insn& insn)
{
    return BPF_CLASS(insn.code) == BPF_STX && BPF_MODE(insn.code) == BPF_ATOMIC;
}

inline bool is_exit(const bpf_insn& insn)
{
    return insn.code == (BPF_JMP | BPF_EXIT);
}

/// Returns the index of the instruction to which a jump or a function call leads. An index beyond 32 bits wraps around.
inline uint32_t jump_target(const bpf_insn& insn, uint32_t pc)
{
    const bool by_immediate =
        insn.code == (BPF_JMP | BPF_CALL) || (BPF_CLASS(insn.code) == BPF_JMP32 && BPF_OP(insn.code) == BPF_JA);
    return pc + 1 + static_cast<uint32_t>(by_immediate ? insn.imm : insn.off);
}

/// Returns whether the immediate operand makes the instruction invalid in every program.
inline bool never_valid(const bpf_insn& insn)
{
    const uint8_t op = BPF_OP(insn.code);
    const bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
    if (BPF_SRC(insn.code) != BPF_K)
        return false;
    return (is_shift(op) && static_cast<uint32_t>(insn.imm) >= (wide ? 64u : 32u)) ||
           ((op == BPF_DIV || op == BPF_MOD) && insn.imm == 0);
}

} // namespace dt::vm
