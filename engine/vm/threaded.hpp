// Threaded code: a proved program, decoded once. For processors without a compiler, and where memory must not be
// executable.
//
// The checked interpreter decodes each instruction and checks its registers and address at every step, although a proof
// (proof.hpp) decides most of that before. Here each instruction becomes an operation with ready operands and the
// address of its code. A step is a load and a jump at the end of each operation, which processors predict separately.
//
// Frequent sequences of filters are one operation: load, compare and branch; load, compare and leave with a constant;
// load and mask; compare and return one of two constants. Unproven accesses use the same checks as machine code
// (jit_support.hpp). Results, counts and failures are the same.
#pragma once

#include <cstdint>

#include "bpf-runtime/vm/machine.hpp"
#include "bpf-runtime/vm/threaded_families.hpp"

namespace dt::vm {

/// One operation. The meaning of each member depends on the operation: see threaded_operations.def, threaded_direct.def
/// and threaded_counted.def.
struct Operation {
    const void* code = nullptr; ///< address of the code that executes it
    uint8_t to = 0, from = 0;   ///< numbers of registers
    int16_t offset = 0;
    int32_t small = 0;
    int64_t value = 0;
    union {
        const Operation* target = nullptr; ///< target of a jump or call
        uint64_t (*compute)(uint64_t left, uint64_t right);
        uint64_t pc; ///< number of the instruction
    };
};
static_assert(sizeof(Operation) == 32); // two fit in a cache line

/// Numbers of the operations.
enum class Code : uint16_t {
#define DT_OPERATION(name, ...) name,
#include "bpf-runtime/vm/threaded_operations.def"
#include "bpf-runtime/vm/threaded_direct.def"
#include "bpf-runtime/vm/threaded_counted.def"
#undef DT_OPERATION
};

/// Returns the code address of each operation, from the table for direct functions or from the one for all others.
/// Operations that direct functions lack have the address of Exit.
const void* const* threaded_codes(bool direct);

/// Implements CompiledCode::Enter.
uint64_t enter_threaded(Machine* machine, const void* code, uint64_t r1, uint64_t r2, uint8_t* stack_end);

/// Returns CompiledFunction::direct for a function that consists of this operation only, which saves a jump. Null for
/// all other operations.
using DirectFunction = uint64_t (*)(const void* context, const void* operations);
DirectFunction threaded_whole(Code code);

/// Implements CompiledFunction::direct. Without operations, returns the address of the table as a number.
uint64_t call_threaded(const void* context, const void* operations);

} // namespace dt::vm
