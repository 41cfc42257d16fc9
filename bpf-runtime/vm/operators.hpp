// What BPF's operators compute, as tables: 32-bit results are zero-extended, a division by 0 gives 0, a modulo by 0 the
// dividend, shift counts use their low bits (instruction set standard, RFC 9669).
#pragma once

#include <cstdint>

namespace dt::vm {

using Operator = uint64_t (*)(uint64_t left, uint64_t right);
using Comparison = bool (*)(uint64_t left, uint64_t right);

/// By BPF_OP(code) and the instruction's offset field (which picks signed division and sign-extending moves); null when
/// unknown.
Operator operator64(uint8_t op, int16_t offset);
Operator operator32(uint8_t op, int16_t offset);
/// By the operation in the immediate of an atomic instruction, BPF_FETCH removed.
Operator atomic_operator(int32_t op);
/// What an atomic instruction of 4 or 8 bytes does: `operation` is its immediate, one that is known. Others may change
/// the same bytes meanwhile, which are aligned. What was there.
uint64_t combine_atomically(uint8_t* place, uint32_t width, int32_t operation, uint64_t expected, uint64_t source);
Comparison comparison64(uint8_t op);
Comparison comparison32(uint8_t op);

uint64_t sign_extend(uint64_t value, uint32_t bits);

} // namespace dt::vm
