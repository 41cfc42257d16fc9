// Accesses memory through pointers. Kernel and user memory is only read, through helpers that cannot crash. Unreadable
// memory raises the fault "invalid address".
#include "dcompiler/lower/area.hpp"
#include "dcompiler/lower/strings.hpp"
#include "dcompiler/lower/user_address.hpp"

#include <algorithm>
#include <bit>

#include "dcompiler/lower/signedness.hpp"

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

/// Returns the size in bytes of an array, struct or stack.
uint32_t Memory::object_size(const Type* real) const
{
    return real->kind == TypeKind::Stack ? context().module.layout.storage_size(real)
                                         : static_cast<uint32_t>(real->size);
}

Operand Memory::load(const Place& wanted)
{
    const Type* real = wanted.type->resolve();
    const Place at = area_.checked(wanted, std::max<uint32_t>(static_cast<uint32_t>(real->size), 1));
    const bool direct = at.mem == Mem::MapValue || at.mem == Mem::Stack;
    if (real->kind == TypeKind::Array || real->is_record() || real->kind == TypeKind::Float ||
        real->kind == TypeKind::Stack) {
        Operand object{Operand::Kind::Bytes, at.address, at.mem, object_size(real), false, false, {}};
        if (at.offset) {
            object.value = b().binary(Op::Add, at.address, b().constant(at.offset));
            b().instr(object.value).mem = at.mem;
            b().instr(object.value).region = object.size;
        }
        return object;
    }
    if (real->kind == TypeKind::String) {
        Value address = at.address;
        if (at.offset) {
            address = b().binary(Op::Add, address, b().constant(at.offset));
            b().instr(address).mem = at.mem;
        }
        return {Operand::Kind::Text, address, at.mem, clause.values.text_size(at.type), false, false, {}};
    }
    const uint32_t size = std::clamp<uint32_t>(static_cast<uint32_t>(real->size), 1, 8);
    Value raw;
    if (direct) {
        raw = b().load(static_cast<uint8_t>(size), at.address, at.offset);
    } else if (at.mem == Mem::Kernel && size == std::bit_floor(size) && clause.values.loads_anywhere()) {
        // A load yields 0 for unreadable memory. If the value is 0, the helper decides whether the memory is readable.
        const Value loaded = clause.values.load_anywhere(at.address, at.offset, static_cast<uint8_t>(size));
        const auto copied = [&] {
            Value word = kNone;
            clause.arm([&] { word = copied_word(at, size); });
            return word;
        };
        raw = b().select(
            Op::Ne, loaded, b().constant(0), [&] { return loaded; }, copied);
    } else {
        raw = copied_word(at, size);
    }
    if (at.bits) {
        // C bit-fields on little-endian machines are counted from the low bit of the storage unit.
        const uint32_t start = static_cast<uint32_t>(at.bits->bit_offset % (size * 8));
        return number(clause.values.extend_bits(raw, start, at.bits->bit_size, at.type));
    }
    return number(clause.values.narrow(raw, at.type));
}

/// Copies `size` bytes by a helper, and faults if they cannot be read.
Value Memory::copied_word(const Place& at, uint32_t size)
{
    const Value temporary = clause.stack_temporary(8);
    copy_bytes(at, temporary, 0, size);
    const Value word = b().load(static_cast<uint8_t>(size), temporary);
    clause.release_stack(8); // the value is in a register now, so an expression with a hundred loads needs one slot
    return word;
}

void Memory::store(const Place& wanted, const Operand& operand)
{
    const Type* real = wanted.type->resolve();
    const Place at = area_.checked(wanted, std::max<uint32_t>(static_cast<uint32_t>(real->size), 1), true);
    if (operand.kind == Operand::Kind::Text) {
        strings_.text_into(operand, at.address, at.offset, std::max<uint32_t>(at.size, 1), false);
        return;
    }
    if (operand.kind == Operand::Kind::Bytes) {
        Place from;
        from.address = operand.value;
        from.mem = operand.mem;
        from.type = at.type;
        from.origin = operand.value;
        copy_bytes(from, at.address, at.offset, object_size(real));
        return;
    }
    const uint8_t size = static_cast<uint8_t>(std::clamp<uint64_t>(real->size, 1, 8));
    Value value = operand.value;
    if (at.bits) {
        const uint32_t start = static_cast<uint32_t>(at.bits->bit_offset % (size * 8u));
        const uint64_t mask = (at.bits->bit_size == 64 ? ~uint64_t{0} : (uint64_t{1} << at.bits->bit_size) - 1)
                              << start;
        const Value old =
            b().binary(Op::And, b().load(size, at.address, at.offset), b().constant(static_cast<int64_t>(~mask)));
        const Value moved = b().binary(Op::And, b().binary(Op::Shl, value, b().constant(start)),
                                       b().constant(static_cast<int64_t>(mask)));
        value = b().binary(Op::Or, old, moved);
    }
    b().store(size, at.address, at.offset, value);
}

void Memory::copy_bytes(const Place& wanted, Value dst, int64_t dst_offset, uint32_t size)
{
    const Place at = area_.checked(wanted, size);
    if (at.mem == Mem::MapValue || at.mem == Mem::Stack)
        return clause.values.copy(at.address, at.offset, dst, dst_offset, size);
    const Value from = at.offset ? b().binary(Op::Add, at.address, b().constant(at.offset)) : at.address;
    Value to = dst;
    if (dst_offset) {
        to = b().binary(Op::Add, dst, b().constant(dst_offset));
        b().instr(to).mem = b().instr(dst).mem;
        b().instr(to).region = size;
    }
    const Value failed = b().call_helper(at.mem == Mem::User ? kProbeReadUser : kProbeReadKernel,
                                         {to, b().constant(size), for_helper(clause, at.mem, from)});
    const ir::BlockId bad = b().block(), good = b().block();
    b().branch(Op::SLt, failed, b().constant(0), bad, good);
    b().enter(bad);
    // For a NULL pointer the fault reports 0, even if a later member was read.
    const Value zero = b().constant(0);
    clause.fault(kFaultBadAddress,
                 at.origin != kNone && at.offset ? b().select(Op::Eq, at.origin, zero, zero, from) : from);
    b().enter(good);
}

} // namespace dt::lower
