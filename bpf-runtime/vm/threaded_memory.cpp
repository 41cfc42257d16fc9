#include "bpf-runtime/vm/threaded_memory.hpp"

#include <algorithm>
#include <cstring>

#include "bpf-runtime/vm/jit_support.hpp"
#include "bpf-runtime/vm/operators.hpp"

#include <linux/bpf.h>

namespace dt::vm {

void begin_frame(Machine& machine, Frame& frame, const Operation& op)
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

bool store_checked(Machine& machine, const Operation& op, const uint64_t* registers)
{
    const uint64_t address = registers[op.to] + static_cast<uint64_t>(op.offset);
    uint8_t* to = address - machine.store_base < machine.store_room
                      ? reinterpret_cast<uint8_t*>(address)
                      : JitSupport::access(&machine, address, static_cast<uint32_t>(op.pc));
    if (!to)
        return false;
    const uint64_t value = op.from == kNoRegister ? static_cast<uint64_t>(op.value) : registers[op.from];
    std::memcpy(to, &value, static_cast<std::size_t>(op.small)); // the host is little-endian
    return true;
}

bool atomic_threaded(Machine& machine, const Operation& op, uint64_t* registers)
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
