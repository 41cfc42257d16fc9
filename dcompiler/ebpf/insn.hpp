// Encoding of BPF instructions: names for struct bpf_insn and the opcode bits of <linux/bpf.h>.
//
// Only the folder ebpf/ knows machine registers; all earlier stages of the compiler use IR values.
#pragma once

#include <linux/bpf.h>

#include <cstdint>

#include "base/kernel_abi.hpp"
#include "dcompiler/ir/ir.hpp"

namespace dt::ebpf {

/// R6; registers R6 to R9 keep their values across calls
inline constexpr uint8_t kFirstSaved = 6;
inline constexpr uint8_t kRegisters = 10; ///< number of registers that can hold values: R0 to R9
inline constexpr uint8_t kFrame = 10;     ///< R10, the frame pointer, which is read only
inline constexpr uint32_t kMaxFrame = abi::kMaxStack;
inline constexpr uint32_t kMaxArgs = 5;

inline constexpr uint8_t kLoadImm64 = BPF_LD | BPF_IMM | BPF_DW;
inline constexpr uint8_t kMov = BPF_ALU64 | BPF_MOV | BPF_X;
inline constexpr uint8_t kMovImm = BPF_ALU64 | BPF_MOV | BPF_K;
inline constexpr int16_t kSigned = 1; ///< in `off` of a division: makes it signed
inline constexpr uint8_t kMov32 = BPF_ALU | BPF_MOV | BPF_X;
inline constexpr uint8_t kCall = BPF_JMP | BPF_CALL;
inline constexpr uint8_t kExit = BPF_JMP | BPF_EXIT;
inline constexpr uint8_t kJump = BPF_JMP | BPF_JA;

constexpr uint8_t size_bits(uint8_t width)
{
    return width == 1 ? BPF_B : width == 2 ? BPF_H : width == 4 ? BPF_W : BPF_DW;
}

constexpr uint8_t load_code(uint8_t width)
{
    return BPF_LDX | BPF_MEM | size_bits(width);
}
constexpr uint8_t signed_load_code(uint8_t width)
{
    return BPF_LDX | abi::kModeMemSx | size_bits(width);
}
constexpr uint8_t store_code(uint8_t width)
{
    return BPF_STX | BPF_MEM | size_bits(width);
}
constexpr uint8_t store_imm_code(uint8_t width)
{
    return BPF_ST | BPF_MEM | size_bits(width);
}
constexpr uint8_t atomic_code(uint8_t width)
{
    return BPF_STX | BPF_ATOMIC | size_bits(width);
}

/// Returns true for jumps, calls and exits.
constexpr bool is_jump(const bpf_insn& insn)
{
    return BPF_CLASS(insn.code) == BPF_JMP || BPF_CLASS(insn.code) == BPF_JMP32;
}

constexpr bool fits_imm(int64_t value)
{
    return value == static_cast<int32_t>(value);
}
constexpr bool fits_offset(int64_t value)
{
    return value == static_cast<int16_t>(value);
}

/// Returns the BPF_ALU operation bits of an IR arithmetic operation.
uint8_t alu_bits(ir::Op op);

/// Returns the BPF_JMP bits for the condition `a cmp b`. With `swapped`, returns the bits for the equivalent condition
/// on b and a.
uint8_t jump_bits(ir::Op cmp, bool swapped);

/// Returns the BPF_JMP bits of the opposite condition.
uint8_t opposite(uint8_t bits);

constexpr bpf_insn encode(uint8_t code, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
{
    bpf_insn insn{};
    insn.code = code;
    insn.dst_reg = dst & 0xf;
    insn.src_reg = src & 0xf;
    insn.off = off;
    insn.imm = imm;
    return insn;
}

} // namespace dt::ebpf
