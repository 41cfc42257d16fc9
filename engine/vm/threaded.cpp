// Executes threaded code: the table of operations and the jumps between them.
#include "engine/vm/threaded.hpp"

#include <linux/bpf.h>

#include <algorithm>
#include <cstring>

#include "engine/program/operators.hpp"
#include "engine/vm/helpers.hpp"
#include "engine/vm/jit.hpp"

// DT_GO jumps to the code of the operation at `op`. DT_DO defines an operation and continues with the next one.
#define DT_GO goto * op->code
#define DT_DO(name, ...)                                                                                               \
    do_##name:                                                                                                         \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }                                                                                                                  \
    ++op;                                                                                                              \
    DT_GO;

namespace dt::vm {

namespace {

template <typename T> inline T at(uint64_t address)
{
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
}

template <typename T> inline void put(uint64_t address, T value)
{
    std::memcpy(reinterpret_cast<void*>(address), &value, sizeof value);
}

inline Frame& frame_below(uint64_t stack_end)
{
    return *reinterpret_cast<Frame*>(stack_end - kStackSize - offsetof(Frame, stack));
}

/// Executes a function from the given operation to its end. Returns R0. `more` holds R2-R5 of a called function. If the
/// operation is null, returns the address of the table of operations as a number, because code labels are visible only
/// in this function.
uint64_t execute(uint64_t r1, const Operation* op, VmState* machine, const uint64_t* more, uint8_t* stack_end)
{
    static const void* const codes[] = {
#define DT_OPERATION(name, ...) &&do_##name,
#include "engine/vm/threaded_operations.def"
#undef DT_OPERATION
#define DT_OPERATION(name, ...) &&do_Exit,
#include "engine/vm/threaded_direct.def"
#undef DT_OPERATION
#define DT_OPERATION(name, ...) &&do_##name,
#include "engine/vm/threaded_counted.def"
#undef DT_OPERATION
    };
    if (!op) [[unlikely]]
        return reinterpret_cast<uint64_t>(codes);
    uint64_t r[11];
    r[1] = r1;
    r[10] = reinterpret_cast<uint64_t>(stack_end);
    DT_GO;
#define DT_OPERATION DT_DO
#include "engine/vm/threaded_operations.def"
#include "engine/vm/threaded_counted.def"
#undef DT_OPERATION
}

// Defines a host function for each operation that can be the only operation of a function (DT_WHOLE).
#define DT_OPERATION(name, ...)
#define DT_WHOLE(name, ...)                                                                                            \
    uint64_t only_##name(const void* context, const void* operations)                                                  \
    {                                                                                                                  \
        const auto* op = static_cast<const Operation*>(operations);                                                    \
        const auto r1 = reinterpret_cast<uint64_t>(context);                                                           \
        __VA_ARGS__                                                                                                    \
    }
#include "engine/vm/threaded_direct.def"
#undef DT_OPERATION

} // namespace

DirectFunction threaded_whole(ThreadedCode code)
{
    switch (code) {
#define DT_OPERATION(name, ...)
#define DT_WHOLE(name, ...)                                                                                            \
    case ThreadedCode::name:                                                                                           \
        return only_##name;
#include "engine/vm/threaded_direct.def"
#undef DT_OPERATION
    default:
        return nullptr;
    }
}

const void* const* threaded_codes(bool direct)
{
    return reinterpret_cast<const void* const*>(direct ? call_threaded(nullptr, nullptr)
                                                       : execute(0, nullptr, nullptr, nullptr, nullptr));
}

uint64_t enter_threaded(VmState* machine, const void* code, uint64_t r1, uint64_t r2, uint8_t* stack_end)
{
    const uint64_t more[4] = {r2, 0, 0, 0};
    return execute(r1, static_cast<const Operation*>(code), machine, more, stack_end);
}

/// Executes a direct function: one that needs no stack frame and no instruction budget. It calls nothing, so it needs
/// no frame in the host either.
uint64_t call_threaded(const void* context, const void* operations)
{
    static const void* const codes[] = {
#define DT_OPERATION(name, ...) &&do_##name,
#include "engine/vm/threaded_operations.def"
#include "engine/vm/threaded_direct.def"
#undef DT_OPERATION
#define DT_OPERATION(name, ...) &&do_Exit,
#include "engine/vm/threaded_counted.def"
#undef DT_OPERATION
    };
    const auto* op = static_cast<const Operation*>(operations);
    const auto r1 = reinterpret_cast<uint64_t>(context);
    if (!op) [[unlikely]]
        return reinterpret_cast<uint64_t>(codes);
    uint64_t r[11];
    DT_GO;
#define DT_OPERATION DT_DO
#include "engine/vm/threaded_operations.def"
#include "engine/vm/threaded_direct.def"
#undef DT_OPERATION
}

void begin_frame(VmState& machine, Frame& frame, const Operation& op)
{
    frame.depth = static_cast<uint32_t>(op.small);
    if (!op.value)
        return;
    const uint32_t used = (frame.depth + 7) / 8 * 8;
    if (frame.dirty > used)
        JitSupport::clear_frame(&machine);
    std::fill(frame.written.end() - used, frame.written.end(), uint8_t{0});
    frame.dirty = used;
}

bool all_written(const Frame& frame, const Operation& op)
{
    const uint8_t* first = frame.written.data() + op.value;
    return std::all_of(first, first + op.small, [](uint8_t mark) { return mark == 0xff; });
}

bool store_checked(VmState& machine, const Operation& op, const uint64_t* registers)
{
    const uint64_t address = registers[op.to] + static_cast<uint64_t>(op.offset);
    uint8_t* to = address - machine.store_base < machine.store_room
                      ? reinterpret_cast<uint8_t*>(address)
                      : JitSupport::access(&machine, address, static_cast<uint32_t>(op.pc));
    if (!to)
        return false;
    const uint64_t value = op.from == kNoRegister ? static_cast<uint64_t>(op.value) : registers[op.from];
    // copies the low bytes, because the host is little-endian
    std::memcpy(to, &value, static_cast<std::size_t>(op.small));
    return true;
}

bool atomic_threaded(VmState& machine, const Operation& op, uint64_t* registers)
{
    const uint64_t address = registers[op.to] + static_cast<uint64_t>(op.offset);
    uint8_t* to = op.pc ? JitSupport::access(&machine, address, static_cast<uint32_t>(op.pc - 1))
                        : reinterpret_cast<uint8_t*>(address);
    if (!to)
        return false;
    const uint64_t none = 0, *expected = op.small == BPF_CMPXCHG ? registers : &none;
    const uint64_t old =
        combine_atomically(to, static_cast<uint32_t>(op.value), op.small, *expected, registers[op.from]);
    if (op.small == BPF_CMPXCHG)
        registers[0] = old;
    else if (op.small & BPF_FETCH)
        registers[op.from] = old;
    return true;
}

} // namespace dt::vm
