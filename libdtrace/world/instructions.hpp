// Builder for BPF instructions, used by the small programs that detect kernel features. (Scripts are compiled by
// dcompiler/ebpf.)
#pragma once

#include <cstdint>

#include "dcompiler/ebpf/insn.hpp"

namespace dt {

constexpr bpf_insn insn(int code, int dst, int src, int off, int imm)
{
    return ebpf::encode(static_cast<uint8_t>(code), static_cast<uint8_t>(dst), static_cast<uint8_t>(src),
                        static_cast<int16_t>(off), imm);
}

constexpr bpf_insn call(int helper)
{
    return insn(BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}
constexpr bpf_insn mov(int dst, int imm)
{
    return insn(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}
constexpr bpf_insn copy(int dst, int src)
{
    return insn(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}
inline constexpr bpf_insn kExit = insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
inline constexpr bpf_insn kSecondHalf = insn(0, 0, 0, 0, 0); ///< second half of an instruction with a 64-bit constant

} // namespace dt
