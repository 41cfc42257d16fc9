// Emits copies of words, and unchecked operations on addresses and numbers.
#include "dcompiler/lower/core/context.hpp"

#include <algorithm>

#include "dcompiler/lower/core/layout.hpp"

namespace dt::lower {

namespace {

// Objects of up to this many bytes are copied word by word; larger objects are copied by one helper call.
constexpr uint32_t kMaxUnrolled = 128;
// Objects of up to this many bytes are zeroed by stores; larger objects are zeroed by one helper call. For a string
// with the default strsize, stores take 10 ns and the call 40 ns.
constexpr uint32_t kMaxZeroedInline = 288;

uint8_t step_of(uint32_t left, int64_t alignment)
{
    for (const uint8_t width : {8, 4, 2})
        if (left >= width && alignment % width == 0)
            return width;
    return 1;
}

} // namespace

void Values::zero(Value dst, int64_t offset, uint32_t size)
{
    if (size > kMaxZeroedInline) {
        const uint32_t zeros = context_.module.data.zeros(size);
        Value to = dst;
        if (offset) {
            to = b().binary(Op::Add, dst, b().constant(offset));
            b().instr(to).mem = b().instr(dst).mem;
            b().instr(to).region = size;
        }
        b().call_helper(kProbeReadKernel, {to, b().constant(size), b().data_addr(zeros, size)});
        return;
    }
    const Value nothing = b().constant(0);
    for (uint32_t done = 0; done < size;) {
        const uint8_t step = step_of(size - done, offset + done);
        b().store(step, dst, offset + done, nothing);
        done += step;
    }
}

void Values::copy(Value src, int64_t src_offset, Value dst, int64_t dst_offset, uint32_t size)
{
    if (size > kMaxUnrolled) {
        const auto moved = [&](Value base, int64_t offset) {
            if (!offset)
                return base;
            const Value at = b().binary(Op::Add, base, b().constant(offset));
            b().instr(at).mem = b().instr(base).mem;
            b().instr(at).region = size;
            return at;
        };
        const Value from = moved(src, src_offset), to = moved(dst, dst_offset);
        b().call_helper(kProbeReadKernel, {to, b().constant(size), from});
        return;
    }
    for (uint32_t done = 0; done < size;) {
        const uint8_t step = step_of(size - done, (src_offset | dst_offset) + done);
        b().store(step, dst, dst_offset + done, b().load(step, src, src_offset + done));
        done += step;
    }
}

bool Values::loads_anywhere() const
{
    return context_.module.world.readable_cast() != 0;
}

/// Emits a direct load from any kernel address. A helper call would cost ten times as much.
Value Values::load_anywhere(Value address, int64_t offset, uint8_t size)
{
    const bool is_near = offset >= 0 && offset + size <= INT16_MAX;
    const Value base = is_near ? address : b().binary(Op::Add, address, b().constant(offset));
    return b().load(size, b().readable(base, context_.module.world.readable_cast()), is_near ? offset : 0);
}

/// Yields the number in the `width` bits of v from bit `start` on, extended according to the type.
Value Values::extend_bits(Value v, uint32_t start, uint32_t width, const Type* type)
{
    const Value top = b().binary(Op::Shl, v, b().constant(64 - start - width));
    return b().binary(is_signed(type) ? Op::AShr : Op::LShr, top, b().constant(64 - width));
}

Value Values::narrow(Value v, const Type* type)
{
    const Type* real = type->resolve();
    if (real->kind != TypeKind::Integer && real->kind != TypeKind::Enum)
        return v;
    if (real->size >= 8 || real->size == 0)
        return v;
    return b().unary(is_signed(type) ? Op::SExt : Op::ZExt, v, static_cast<uint8_t>(real->size));
}

Value Values::interior(Value base, int64_t offset, uint32_t region)
{
    if (offset == 0)
        return base;
    const Value at = b().binary(Op::Add, base, b().constant(offset));
    b().instr(at).mem = b().instr(base).mem;
    b().instr(at).region = region;
    return at;
}

Value Values::address_number(const Operand& from)
{
    if (!from.loadable() && !from.readable && from.mem != Mem::MapOrNull)
        return from.value;
    return b().call_runtime("dt_address", {from.value});
}

Value Values::at_most(Value size, uint32_t limit)
{
    const Value most = b().constant(limit);
    return b().select(Op::ULt, size, most, size, most);
}

bool Values::fits_thread_name() const
{
    return context_.module.options.strsize + 1 >= kThreadName;
}

uint32_t Values::text_size(const Type* type) const
{
    const Type* real = type->resolve();
    const uint32_t most = static_cast<uint32_t>(context_.module.options.strsize) + 1;
    if (real->kind != TypeKind::String || real->size == 0)
        return most;
    return std::min<uint32_t>(static_cast<uint32_t>(real->size), most);
}

} // namespace dt::lower
