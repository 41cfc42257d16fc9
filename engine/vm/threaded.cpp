// Executes threaded code: the table of operations and the jumps between them.
#include "bpf-runtime/vm/threaded.hpp"

#include <cstring>

#include "bpf-runtime/vm/helpers.hpp"
#include "bpf-runtime/vm/jit_support.hpp"
#include "bpf-runtime/vm/threaded_memory.hpp"

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

/// Executes a function from the given operation to its end. Returns R0. `more` holds R2-R5 of a called function.
/// Without an operation, returns the table's address as a number, because labels are visible only in this function.
uint64_t execute(uint64_t r1, const Operation* op, Machine* machine, const uint64_t* more, uint8_t* stack_end)
{
    static const void* const codes[] = {
#define DT_OPERATION(name, ...) &&do_##name,
#include "bpf-runtime/vm/threaded_operations.def"
#undef DT_OPERATION
#define DT_OPERATION(name, ...) &&do_Exit,
#include "bpf-runtime/vm/threaded_direct.def"
#undef DT_OPERATION
#define DT_OPERATION(name, ...) &&do_##name,
#include "bpf-runtime/vm/threaded_counted.def"
#undef DT_OPERATION
    };
    if (!op) [[unlikely]]
        return reinterpret_cast<uint64_t>(codes);
    uint64_t r[11];
    r[1] = r1;
    r[10] = reinterpret_cast<uint64_t>(stack_end);
    DT_GO;
#define DT_OPERATION DT_DO
#include "bpf-runtime/vm/threaded_operations.def"
#include "bpf-runtime/vm/threaded_counted.def"
#undef DT_OPERATION
}

// Operations that are a whole function.
#define DT_OPERATION(name, ...)
#define DT_WHOLE(name, ...)                                                                                            \
    uint64_t only_##name(const void* context, const void* operations)                                                  \
    {                                                                                                                  \
        const auto* op = static_cast<const Operation*>(operations);                                                    \
        const auto r1 = reinterpret_cast<uint64_t>(context);                                                           \
        __VA_ARGS__                                                                                                    \
    }
#include "bpf-runtime/vm/threaded_direct.def"
#undef DT_OPERATION

} // namespace

DirectFunction threaded_whole(Code code)
{
    switch (code) {
#define DT_OPERATION(name, ...)
#define DT_WHOLE(name, ...)                                                                                            \
    case Code::name:                                                                                                   \
        return only_##name;
#include "bpf-runtime/vm/threaded_direct.def"
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

uint64_t enter_threaded(Machine* machine, const void* code, uint64_t r1, uint64_t r2, uint8_t* stack_end)
{
    const uint64_t more[4] = {r2, 0, 0, 0};
    return execute(r1, static_cast<const Operation*>(code), machine, more, stack_end);
}

/// Executes a direct function. It calls nothing, so it needs no stack frame in the host.
uint64_t call_threaded(const void* context, const void* operations)
{
    static const void* const codes[] = {
#define DT_OPERATION(name, ...) &&do_##name,
#include "bpf-runtime/vm/threaded_operations.def"
#include "bpf-runtime/vm/threaded_direct.def"
#undef DT_OPERATION
#define DT_OPERATION(name, ...) &&do_Exit,
#include "bpf-runtime/vm/threaded_counted.def"
#undef DT_OPERATION
    };
    const auto* op = static_cast<const Operation*>(operations);
    const auto r1 = reinterpret_cast<uint64_t>(context);
    if (!op) [[unlikely]]
        return reinterpret_cast<uint64_t>(codes);
    uint64_t r[11];
    DT_GO;
#define DT_OPERATION DT_DO
#include "bpf-runtime/vm/threaded_operations.def"
#include "bpf-runtime/vm/threaded_direct.def"
#undef DT_OPERATION
}

} // namespace dt::vm
