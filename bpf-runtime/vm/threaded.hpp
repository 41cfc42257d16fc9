// A program that was proved, decoded once: for processors without a compiler, and where no memory may be executable.
//
// The checked interpreter asks at each step what the instruction is, whether its registers hold something, and where
// its address lies. All of that is known once the program is proved (proof.hpp). Here each instruction becomes an
// operation with its operands ready and the place of the code that does it, so that a step is a load and a jump: from
// each operation's own end, which processors tell apart. What filters consist of is one operation: load, compare and
// branch, or leave with a constant; load and mask; compare, and return one of two constants. Accesses that are not
// proved are checked by the same code as those of machine code (jit_support.hpp), and results, counts and failures are
// the same.
#pragma once

#include <cstdint>

#include "bpf-runtime/vm/machine.hpp"
#include "bpf-runtime/vm/threaded_families.hpp"

namespace dt::vm {

/// What each member means is said where it is used: threaded_operations.def, threaded_direct.def and
/// threaded_counted.def.
struct Operation {
    const void* code = nullptr; ///< where it is done
    uint8_t to = 0, from = 0;   ///< registers
    int16_t offset = 0;
    int32_t small = 0;
    int64_t value = 0;
    union {
        const Operation* target = nullptr; ///< of a jump or call
        uint64_t (*compute)(uint64_t left, uint64_t right);
        uint64_t pc; ///< the instruction
    };
};
static_assert(sizeof(Operation) == 32); // two in a line of the cache

/// Their numbers.
enum class Code : uint16_t {
#define DT_OPERATION(name, ...) name,
#include "bpf-runtime/vm/threaded_operations.def"
#include "bpf-runtime/vm/threaded_direct.def"
#include "bpf-runtime/vm/threaded_counted.def"
#undef DT_OPERATION
};

/// Where the code of each is, in the table for functions that are called as they are, or for the others; one that such
/// functions do not have is as Exit.
const void* const* threaded_codes(bool direct);

/// CompiledCode::Enter
uint64_t enter_threaded(Machine* machine, const void* code, uint64_t r1, uint64_t r2, uint8_t* stack_end);

/// CompiledFunction::direct of a function that begins with this operation, when it need not be looked for: one jump
/// less. Null for all others.
using DirectFunction = uint64_t (*)(const void* context, const void* operations);
DirectFunction threaded_whole(Code code);

/// CompiledFunction::direct; without operations it gives the table's address as a number
uint64_t call_threaded(const void* context, const void* operations);

} // namespace dt::vm
