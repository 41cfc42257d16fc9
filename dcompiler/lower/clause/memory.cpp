// Accesses memory through pointers. Kernel and user memory is read through helpers that cannot crash, and unreadable
// memory raises the fault "invalid address". Only copyout() and copyoutstr() write to user memory. Accesses to scratch
// memory (of alloca() and copyin()) must be inside the bytes that clauses have allocated.
#include "dcompiler/lower/clause/memory.hpp"

#include <algorithm>
#include <bit>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/strings.hpp"
#include "dcompiler/lower/clause/user_address.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "dcompiler/lower/core/layout.hpp"

namespace dt::lower {

/// Returns the size in bytes of an array, struct or stack type.
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
        // Unreadable memory loads as 0. If a load yields 0, a helper therefore reads the memory again, to distinguish a
        // stored 0 from a fault.
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

/// Copies `size` bytes by a helper. Emits a fault for the case that they cannot be read.
Value Memory::copied_word(const Place& at, uint32_t size)
{
    const Value temporary = clause.stack_temporary(8);
    copy_bytes(at, temporary, 0, size);
    const Value word = b().load(static_cast<uint8_t>(size), temporary);
    // The stack slot is freed here and not at the end of the statement, because the loaded value is now in a register.
    // So an expression with a hundred loads needs only one slot.
    clause.release_stack(8);
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
    // If the pointer is NULL, the fault reports address 0, although the address of the accessed member may be higher.
    const Value zero = b().constant(0);
    clause.fault(kFaultBadAddress,
                 at.origin != kNone && at.offset ? b().select(Op::Eq, at.origin, zero, zero, from) : from);
    b().enter(good);
}

// Lowers alloca(), copyin() and accesses through pointers to scratch memory.
//
// The scratch slot has one area for all memory that the clauses of a firing get from alloca() and copyin(); layout.hpp
// describes it. The memory lives until the firing ends, and each clause may allocate scratchsize bytes. ERROR fires
// inside another firing, so it has its own area.
//
// As in other DTraces, a pointer to memory of alloca() is a plain number. So each access computes the offset in the
// area and checks it twice: against the allocated bytes, as D requires, and against the area's size, as the verifier
// requires.

namespace {

// offsets of the words with the state of the memory for alloca() and copyin()
constexpr int64_t kUsed = 0, kLimit = 8, kAddress = 16, kNextGap = 24;
constexpr int64_t kGap = Layout::kAreaGap;

} // namespace

/// Starts the clause's allocations behind those of earlier clauses, with a limit of scratchsize bytes.
void Area::begin_area()
{
    const ScratchArea& of = module().layout.area(context().in_error);
    const Value used = b().load(8, clause.slot(), of.head + kUsed);
    b().store(8, clause.slot(), of.head + kLimit, b().binary(Op::Add, used, b().constant(module().layout.area_size())));
    b().store(8, clause.slot(), of.head + kAddress, b().binary(Op::Add, clause.slot(), b().constant(of.start)));
}

Value Area::area_word(int64_t which)
{
    clause.uses_area();
    return b().load(8, clause.slot(), module().layout.area(context().in_error).head + which);
}

Value Area::area_address()
{
    return area_word(kAddress);
}

Value Area::area_used()
{
    return area_word(kUsed);
}

uint32_t Area::area_most()
{
    return module().layout.area(context().in_error).most;
}

Value Area::area()
{
    clause.uses_area();
    return clause.values.interior(clause.slot(), module().layout.area(context().in_error).start,
                                  area_most() + module().layout.area_size() + Layout::kAreaGap);
}

Value Area::allocate(Value size)
{
    const int64_t head = module().layout.area(context().in_error).head;
    // If the previous allocation fills its last word, one more word (the gap) follows it for a terminating NUL. The D
    // program must not use this word.
    const Value gap = b().binary(Op::And, area_word(kNextGap), b().constant(kGap)), most = b().constant(area_most());
    const Value used = b().binary(Op::Add, area_used(), gap);
    const Value limit = b().binary(Op::Add, area_word(kLimit), gap);
    // This branch is never taken. It gives the verifier a bound for the value.
    clause.fault_if(Op::ULt, most, used, kFaultNoScratch, b().constant(0));
    const Value rounded = b().binary(Op::And, b().binary(Op::Add, size, b().constant(7)), b().constant(~int64_t{7}));
    const Value total = b().binary(Op::Add, used, rounded);
    clause.fault_if(Op::ULt, limit, total, kFaultNoScratch, b().constant(0));
    clause.fault_if(Op::ULt, most, total, kFaultNoScratch, b().constant(0));
    b().store(8, clause.slot(), head + kUsed, total);
    b().store(8, clause.slot(), head + kLimit, limit);
    if (const ir::Instr& bytes = b().instr(size); bytes.op != Op::Const || bytes.imm != 0) {
        // Number of padding bytes in the allocation's last word, 0 to 7. If it is 0, the terminating NUL is in the gap
        // word behind the allocation.
        const Value left = b().binary(Op::Sub, rounded, size);
        b().store(8, clause.slot(), head + kNextGap, b().binary(Op::Sub, b().constant(kGap), left));
    }
    return used;
}

void Area::end_text(Value memory, Value size)
{
    const Value last_word = b().binary(Op::And, size, b().constant(~int64_t{7}));
    b().store(8, b().binary(Op::Add, memory, last_word), 0, b().constant(0));
}

Value Area::area_offset(Value address, Value size)
{
    const Value used = area_used();
    const Value offset = b().binary(Op::Sub, address, area_address());
    b().instr(offset).mem = Mem::None; // a pointer minus a pointer is a number
    b().instr(offset).region = 0;
    clause.fault_if(Op::ULe, used, offset, kFaultBadAddress, address);
    clause.fault_if(Op::ULt, b().binary(Op::Sub, used, offset), size, kFaultBadSize, size);
    // This branch is never taken. It gives the verifier a bound for the offset.
    clause.fault_if(Op::ULt, b().constant(area_most()), offset, kFaultBadAddress, address);
    return offset;
}

void Area::check_in_area(Value address, Value size)
{
    if (!has_area())
        return;
    if (!module().layout.has_aliases()) {
        area_offset(address, size);
        return;
    }
    const Value offset = b().binary(Op::Sub, address, area_address());
    b().if_then(Op::ULt, offset, b().constant(area_most()), [&] { clause.arm([&] { area_offset(address, size); }); });
}

Place Area::checked(const Place& at, uint32_t size, bool write)
{
    if (!at.scratch || at.mem == Mem::MapValue || at.mem == Mem::Stack)
        return at;
    Value address = at.address;
    if (at.offset) {
        if (at.origin != kNone) // the fault for any member of a NULL pointer reports address 0
            clause.fault_if(Op::Eq, at.origin, b().constant(0), kFaultBadAddress, b().constant(0));
        address = b().binary(Op::Add, at.address, b().constant(at.offset));
    }
    Place found = at;
    found.scratch = false;
    if (module().layout.has_aliases() && !write) {
        check_in_area(address, b().constant(size));
        return found;
    }
    found.offset = 0;
    found.mem = Mem::MapValue;
    found.size = size;
    if (module().layout.has_aliases()) {
        found.address = array_element(address, size);
    } else if (size > module().layout.area_size()) {
        // The size exceeds the memory, so this check always faults. The code after it never runs, but it must be valid.
        area_offset(address, b().constant(size));
        found.address = b().data_addr(module().data.zeros(size), size);
    } else {
        const Value offset = area_offset(address, b().constant(size));
        found.address = b().binary(Op::Add, area(), offset);
    }
    return found;
}

/// Yields the destination of a store through a scratch pointer. The pointer's address may be in scratch memory or in
/// one of the program's arrays.
Value Area::array_element(Value address, uint32_t size)
{
    const ir::BlockId join = b().block();
    std::vector<Value> found;
    if (has_area() && size <= module().layout.area_size()) {
        const ir::BlockId inside = b().block(), next = b().block();
        b().branch(Op::ULt, b().binary(Op::Sub, address, area_address()), b().constant(area_most()), inside, next);
        b().enter(inside);
        clause.arm([&] {
            const Value offset = area_offset(address, b().constant(size));
            found.push_back(b().binary(Op::Add, area(), offset));
        });
        b().jump(join);
        b().enter(next);
    }
    for (const Variable* array : module().layout.aliased_arrays()) {
        const uint32_t room = module().layout.storage_size(array->type);
        if (room < size)
            continue;
        Target whole;
        whole.variable = array;
        const ir::BlockId inside = b().block(), next = b().block();
        const Place memory = places_.variable_place(whole, true);
        const Value start = clause.values.interior(memory.address, memory.offset, room);
        const Operand bytes{Operand::Kind::Bytes, start, memory.mem, room, false, false, {}};
        const Value offset = b().binary(Op::Sub, address, clause.values.address_number(bytes));
        b().branch(Op::ULe, offset, b().constant(room - size), inside, next);
        b().enter(inside);
        found.push_back(b().binary(Op::Add, start, offset));
        b().jump(join);
        b().enter(next);
    }
    clause.fault(kFaultBadAddress, address);
    b().enter(join);
    return b().phi(found, Mem::MapValue, size);
}

/// Yields the maximum size of a string at `address`, including the NUL, if the address is in an array of the program.
/// Yields `otherwise` for other addresses.
Value Area::limit_in_arrays(Value address, Value otherwise, uint32_t size)
{
    Value limit = otherwise;
    for (const Variable* array : module().layout.aliased_arrays()) {
        Target whole;
        whole.variable = array;
        const uint32_t room = module().layout.storage_size(array->type);
        const Place memory = places_.variable_place(whole, false);
        const Operand bytes{Operand::Kind::Bytes,
                            clause.values.interior(memory.address, memory.offset, room),
                            memory.mem,
                            room,
                            false,
                            false,
                            {}};
        const Value offset = b().binary(Op::Sub, address, clause.values.address_number(bytes));
        const Value left = b().binary(Op::Sub, b().constant(room + 1), offset);
        limit = b().select(Op::ULt, offset, b().constant(room), clause.values.at_most(left, size), limit);
    }
    return limit;
}

Operand Area::scratch_text(Value address, uint32_t size)
{
    Operand text{Operand::Kind::Text, address, Mem::Kernel, size, true, false, {}};
    if (!has_area())
        return text;
    check_in_area(address, b().constant(1));
    // A string in scratch memory must end before the end of the allocated bytes. Strings at other addresses have no
    // such limit.
    const Value before = b().binary(Op::Sub, address, area_address());
    const Value left = b().binary(Op::Sub, area_used(), before);
    const Value in_area = clause.values.at_most(b().binary(Op::Add, left, b().constant(1)), size);
    const Value limit = module().layout.has_aliases() ? limit_in_arrays(address, in_area, size) : in_area;
    const Value buffer = clause.scratch_temporary(align_up(size, 8));
    clause.fault_if(Op::SLt, b().call_helper(kProbeReadKernelStr, {buffer, limit, address}), b().constant(0),
                    kFaultBadAddress, address);
    return {Operand::Kind::Text, buffer, Mem::MapValue, size, false, false, {}};
}

// ---- functions that lower memory subroutines; the table in hooks.cpp refers to them --------------------------------

namespace {

/// Emits a fault for a copy whose size is not between 0 and scratchsize.
void check_size(ClauseLowering& l, Value size)
{
    l.fault_if(Op::ULt, l.b().constant(l.module().layout.area_size()), size, kFaultBadSize, size);
}

void copy_or_fault(ClauseLowering& l, Helper helper, Value to, Value size, Value from)
{
    l.fault_if(Op::SLt, l.b().call_helper(helper, {to, size, from}), l.b().constant(0), kFaultBadAddress, from);
}

void copy_to_area(ClauseLowering& l, Helper helper, Value to, Value size, Value from)
{
    const Value offset = l.area.area_offset(to, size);
    copy_or_fault(l, helper, l.b().binary(Op::Add, l.area.area(), offset), size, from);
}

/// Copies to a D array through a larger temporary, because the verifier cannot prove that offset + size is inside the
/// array.
void copy_to_array(ClauseLowering& l, Helper helper, const Place& array, uint32_t room, Value offset, Value size,
                   Value from)
{
    auto& b = l.b();
    l.fault_if(Op::ULt, b.binary(Op::Sub, b.constant(room), offset), size, kFaultBadSize, size);
    const Value copy = l.scratch_temporary(room + l.module().layout.area_size());
    l.values.copy(array.address, array.offset, copy, 0, room);
    copy_or_fault(l, helper, b.binary(Op::Add, copy, offset), size, from);
    l.values.copy(copy, 0, array.address, array.offset, room);
}

/// Copies `size` bytes to the target of a scratch pointer: the firing's scratch memory, or an array of the program.
void copy_to_scratch(ClauseLowering& l, Helper helper, Value to, Value size, Value from)
{
    auto& b = l.b();
    if (!l.module().layout.has_aliases())
        return copy_to_area(l, helper, to, size, from);
    const ir::BlockId join = b.block();
    const auto when_inside = [&](Value offset, uint32_t room, const auto& body) {
        const ir::BlockId inside = b.block(), next = b.block();
        b.branch(Op::ULt, offset, b.constant(room), inside, next);
        b.enter(inside);
        l.arm(body);
        b.jump(join);
        b.enter(next);
    };
    if (l.area.has_area())
        when_inside(b.binary(Op::Sub, to, l.area.area_address()), l.area.area_most(),
                    [&] { copy_to_area(l, helper, to, size, from); });
    for (const Variable* variable : l.module().layout.aliased_arrays()) {
        Target whole;
        whole.variable = variable;
        const Place array = l.places.variable_place(whole, true);
        const uint32_t room = l.module().layout.storage_size(variable->type);
        const Operand bytes{Operand::Kind::Bytes,
                            l.values.interior(array.address, array.offset, room),
                            array.mem,
                            room,
                            false,
                            false,
                            {}};
        const Value offset = b.binary(Op::Sub, to, l.values.address_number(bytes));
        when_inside(offset, room, [&] { copy_to_array(l, helper, array, room, offset, size, from); });
    }
    l.fault(kFaultBadAddress, to);
    b.enter(join);
}

} // namespace

Operand lower_alloca(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const TExpr& size = *e.kids[0];
    const Value wanted = l.expressions.value(size);
    l.fault_if(Op::ULt, b.constant(l.module().layout.area_size()), wanted, kFaultNoScratch, b.constant(0));
    const Value offset = l.area.allocate(wanted);
    const Value memory = b.binary(Op::Add, l.area.area(), offset);
    if (size.op == TOp::Integer) {
        const auto bytes = static_cast<uint32_t>(std::clamp<int64_t>(size.value, 0, l.module().layout.area_size()));
        l.values.zero(memory, 0, align_up(bytes + 1, 8));
    } else {
        l.area.end_text(memory, wanted);
        const uint32_t most = l.module().layout.area_size();
        b.call_helper(kProbeReadKernel, {memory, wanted, b.data_addr(l.module().data.zeros(most), most)});
    }
    return number(b.binary(Op::Add, l.area.area_address(), offset));
}

Operand lower_copyin(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value from = l.expressions.value(*e.kids[0]), size = l.expressions.value(*e.kids[1]);
    check_size(l, size);
    // A copy of 0 bytes also allocates a byte, for a NUL. Otherwise a string read at the pointer would be that of the
    // next allocation.
    const TExpr& bytes = *e.kids[1];
    const Value place = bytes.op != TOp::Integer ? b.binary(Op::Add, size, b.binary(Op::Eq, size, b.constant(0)))
                        : bytes.value == 0       ? b.constant(1)
                                                 : size;
    const Value offset = l.area.allocate(place);
    const Value readable = for_helper(l, Mem::User, from), memory = b.binary(Op::Add, l.area.area(), offset);
    l.area.end_text(memory, size);
    copy_or_fault(l, kProbeReadUser, memory, size, readable);
    return number(b.binary(Op::Add, l.area.area_address(), offset));
}

namespace {

/// Emits a fault if the source is a D string with fewer than `size` bytes. A literal has its characters and a NUL, a
/// variable has its whole buffer.
void check_source(ClauseLowering& l, const TExpr& from, Value size)
{
    if (from.op == TOp::Cast && from.kids[0]->type->is_string())
        l.fault_if(Op::ULt, l.b().constant(l.values.text_size(from.kids[0]->type)), size, kFaultBadSize, size);
}

} // namespace

Operand lower_bcopy(ClauseLowering& l, const TExpr& e)
{
    const Value from = l.expressions.value(*e.kids[0]), to = l.expressions.value(*e.kids[1]),
                size = l.expressions.value(*e.kids[2]);
    check_size(l, size);
    check_source(l, *e.kids[0], size);
    if (e.kids[0]->scratch)
        l.area.check_in_area(from, size);
    // The bytes are first copied to a temporary: source and destination may overlap, and the copying helper does not
    // support that.
    const Value copy = l.scratch_temporary(l.module().layout.area_size());
    copy_or_fault(l, kProbeReadKernel, copy, size, from);
    copy_to_scratch(l, kProbeReadKernel, to, size, copy);
    return number(l.b().constant(0));
}

namespace {

/// Copies `size` bytes from a kernel, user or scratch pointer to `to`. Emits a fault for the case that they cannot be
/// read.
void copy_from_pointer(ClauseLowering& l, const TExpr& pointer, Value from, Value to, Value size)
{
    const Type* real = pointer.type->resolve();
    const bool user = real->kind == TypeKind::Pointer && real->space == AddressSpace::User;
    check_source(l, pointer, size);
    if (pointer.scratch)
        l.area.check_in_area(from, size);
    copy_or_fault(l, user ? kProbeReadUser : kProbeReadKernel, to, size,
                  for_helper(l, user ? Mem::User : Mem::Kernel, from));
}

} // namespace

/// Lowers memcmp(): copies the bytes of both arguments to temporaries, fills the rest of their last words with zeros,
/// and compares words.
Operand lower_memcmp(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value first = l.expressions.value(*e.kids[0]), second = l.expressions.value(*e.kids[1]),
                size = l.expressions.value(*e.kids[2]);
    check_size(l, size);
    const bool known = e.kids[2]->op == TOp::Integer;
    uint32_t most = l.module().layout.area_size();
    if (known)
        most = static_cast<uint32_t>(std::clamp<int64_t>(e.kids[2]->value, 0, most));
    const uint32_t room = align_up(std::max<uint32_t>(most, 1), 8);
    Value copies[2];
    for (const int i : {0, 1}) {
        copies[i] = l.scratch_temporary(room);
        l.values.zero(copies[i], known ? room - 8 : 0, known ? 8 : room);
        copy_from_pointer(l, *e.kids[static_cast<std::size_t>(i)], i == 0 ? first : second, copies[i], size);
    }
    return number(b.call_runtime("dt_memcmp", {copies[0], copies[1], b.constant(room / 8)}));
}

/// Lowers memstr(). Its size argument includes the NUL at the end of the result, so the last byte of the memory is not
/// copied.
Operand lower_memstr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value from = l.expressions.value(*e.kids[0]), character = l.expressions.value(*e.kids[1]),
                size = l.expressions.value(*e.kids[2]);
    const Value characters = b.binary(Op::Sub, size, b.binary(Op::Ne, size, b.constant(0)));
    const uint32_t most = static_cast<uint32_t>(l.module().options.strsize), room = align_up(most + 1, 8);
    const Value length = l.values.at_most(characters, most), text = l.strings.text_result(room, false);
    copy_from_pointer(l, *e.kids[0], from, text, length);
    b.call_runtime("dt_memstr", {text, length, b.constant(room), character});
    return {Operand::Kind::Text, text, Mem::MapValue, most + 1, false, false, {}};
}

Operand lower_copyinto(ClauseLowering& l, const TExpr& e)
{
    const Value from = l.expressions.value(*e.kids[0]), size = l.expressions.value(*e.kids[1]),
                to = l.expressions.value(*e.kids[2]);
    check_size(l, size);
    copy_to_scratch(l, kProbeReadUser, to, size, for_helper(l, Mem::User, from));
    return number(l.b().constant(0));
}

namespace {

/// Writes `size` bytes of a buffer to the memory of the current process; does nothing if `size` is 0.
void write_user(ClauseLowering& l, Value to, Value buffer, Value size)
{
    auto& b = l.b();
    b.if_then(Op::SLt, b.constant(0), size, [&] {
        l.fault_if(Op::SLt, b.call_helper(kProbeWriteUser, {for_helper(l, Mem::User, to), buffer, size}), b.constant(0),
                   kFaultBadAddress, to);
    });
}

} // namespace

Operand lower_copyout(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value from = l.expressions.value(*e.kids[0]), to = l.expressions.value(*e.kids[1]),
                size = l.expressions.value(*e.kids[2]);
    check_size(l, size);
    check_source(l, *e.kids[0], size);
    if (e.kids[0]->scratch)
        l.area.check_in_area(from, size);
    const Value buffer = l.scratch_temporary(l.module().layout.area_size());
    copy_or_fault(l, kProbeReadKernel, buffer, size, from);
    write_user(l, to, buffer, size);
    return number(b.constant(0));
}

Operand lower_copyoutstr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Operand from = l.expressions.text(*e.kids[0]);
    const Value to = l.expressions.value(*e.kids[1]);
    const uint32_t most = static_cast<uint32_t>(l.module().options.strsize);
    const Value size = l.values.at_most(l.expressions.value(*e.kids[2]), most);
    if (from.may_be_null)
        l.fault_if(Op::Eq, from.value, b.constant(0), kFaultBadAddress, b.constant(0));
    // The helper that reads the string ends it with a NUL. So its buffer is one byte larger than the data for the
    // process. If the string is longer than `size`, `size` characters are written without a NUL.
    const Value buffer = l.scratch_temporary(most + 1);
    const Value got =
        b.call_helper(from.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                      {buffer, b.binary(Op::Add, size, b.constant(1)), for_helper(l, from.mem, from.value)});
    l.fault_if(Op::SLt, got, b.constant(0), kFaultBadAddress, from.value);
    // The helper may return 0 for an empty string, although the string has a NUL; so 1 byte is copied, as in
    // copyinstr().
    const Value length = b.select(Op::Eq, got, b.constant(0), b.constant(1), got);
    write_user(l, to, buffer, b.select(Op::ULt, size, length, size, length));
    return number(b.constant(0));
}

} // namespace dt::lower
