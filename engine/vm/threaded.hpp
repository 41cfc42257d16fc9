// Threaded code: a proved program, decoded once. It is used on processors without a compiler, and where memory must not
// be executable.
//
// The checked interpreter decodes each instruction and checks its registers and address at every step, although a proof
// (proof.hpp) can decide most of that before the program runs. Here each instruction becomes an operation with ready
// operands and the address of its code. Each operation ends with a load and its own jump to the next operation, so
// processors predict each jump separately.
//
// Sequences that are frequent in filters are merged into one operation: load, compare and branch; load, compare and
// leave with a constant; load and mask; compare and return one of two constants. Unproven accesses use the same checks
// as machine code (jit.hpp). Results, instruction counts and failures equal those of machine code and of the
// interpreter.
#pragma once

#include <cstdint>

#include "engine/program/vm_state.hpp"

// Tables of the comparisons and loads for which threaded code has operations: name, operator and type.

#define DT_COMPARISONS(family)                                                                                         \
    family(Eq, ==, uint64_t) family(Ne, !=, uint64_t) family(Gt, >, uint64_t) family(Ge, >=, uint64_t)                 \
        family(Lt, <, uint64_t) family(Le, <=, uint64_t) family(Set, &, uint64_t) family(Sgt, >, int64_t)              \
            family(Sge, >=, int64_t) family(Slt, <, int64_t) family(Sle, <=, int64_t) family(Eq32, ==, uint32_t)       \
                family(Ne32, !=, uint32_t) family(Gt32, >, uint32_t) family(Ge32, >=, uint32_t)                        \
                    family(Lt32, <, uint32_t) family(Le32, <=, uint32_t) family(Set32, &, uint32_t)                    \
                        family(Sgt32, >, int32_t) family(Sge32, >=, int32_t) family(Slt32, <, int32_t)                 \
                            family(Sle32, <=, int32_t)
#define DT_IS(left, sign, type, right) (static_cast<type>(left) sign static_cast<type>(right))
#define DT_LOADS(family)                                                                                               \
    family(Load1, uint8_t) family(Load2, uint16_t) family(Load4, uint32_t) family(Load8, uint64_t)                     \
        family(Load1Signed, int8_t) family(Load2Signed, int16_t) family(Load4Signed, int32_t)

namespace dt::vm {

/// One operation. The meaning of each member depends on the operation: see threaded_operations.def, threaded_direct.def
/// and threaded_counted.def.
struct Operation {
    const void* code = nullptr; ///< address of the code that executes the operation
    uint8_t to = 0, from = 0;   ///< numbers of the target and the source register
    int16_t offset = 0;
    int32_t small = 0;
    int64_t value = 0;
    union {
        const Operation* target = nullptr; ///< target of a jump or call
        uint64_t (*compute)(uint64_t left, uint64_t right);
        uint64_t pc; ///< index of the BPF instruction from which the operation was compiled
    };
};
static_assert(sizeof(Operation) == 32); // two operations must fit into a cache line

/// Indices of the operations in the tables of threaded_codes().
enum class ThreadedCode : uint16_t {
#define DT_OPERATION(name, ...) name,
#include "engine/vm/threaded_operations.def"
#include "engine/vm/threaded_direct.def"
#include "engine/vm/threaded_counted.def"
#undef DT_OPERATION
};

/// Returns the table of the code addresses of all operations. Direct functions (`direct`) have a table of their own,
/// which contains the address of Exit for operations that they lack.
const void* const* threaded_codes(bool direct);

/// Enters threaded code from the host (CompiledCode::Enter).
uint64_t enter_threaded(VmState* machine, const void* code, uint64_t r1, uint64_t r2, uint8_t* stack_end);

/// Returns a host function for a function that consists only of this operation, or null if the operation cannot be a
/// whole function. A call of it as CompiledFunction::direct saves a jump.
using DirectFunction = uint64_t (*)(const void* context, const void* operations);
DirectFunction threaded_whole(ThreadedCode code);

/// Executes a function without stack frame and instruction budget (CompiledFunction::direct). If `operations` is null,
/// returns the address of the table of operations as a number.
uint64_t call_threaded(const void* context, const void* operations);

inline constexpr uint8_t kNoRegister = 15;

/// Marks all bytes of a new function's frame as unwritten.
void begin_frame(VmState& machine, Frame& frame, const Operation& op);
/// Returns whether the program has written all stack bytes that the operation loads.
bool all_written(const Frame& frame, const Operation& op);
/// The functions below return false after a failure of the run.
bool store_checked(VmState& machine, const Operation& op, const uint64_t* registers);
bool atomic_threaded(VmState& machine, const Operation& op, uint64_t* registers);

} // namespace dt::vm
