// Tables of BPF's operators (instruction set standard, RFC 9669). 32-bit results are zero-extended. Division by 0 gives
// 0, modulo by 0 the dividend. Shift counts use their low bits.
#pragma once

#include <cstdint>

namespace dt::vm {

using Operator = uint64_t (*)(uint64_t left, uint64_t right);
using Comparison = bool (*)(uint64_t left, uint64_t right);

/// Return the operator for BPF_OP(code) and the instruction's offset field, which selects signed division and
/// sign-extending moves; null if unknown.
Operator operator64(uint8_t op, int16_t offset);
Operator operator32(uint8_t op, int16_t offset);
/// Returns the operator for the immediate of an atomic instruction without BPF_FETCH.
Operator atomic_operator(int32_t op);
/// Executes an atomic instruction of 4 or 8 bytes; `operation` is its valid immediate. The bytes are aligned, and other
/// threads may change them meanwhile. Returns the previous value.
uint64_t combine_atomically(uint8_t* place, uint32_t width, int32_t operation, uint64_t expected, uint64_t source);
Comparison comparison64(uint8_t op);
Comparison comparison32(uint8_t op);

uint64_t sign_extend(uint64_t value, uint32_t bits);

} // namespace dt::vm
