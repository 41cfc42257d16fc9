// Lowers expressions that denote places: lvalues, keys of arrays, and assignments.
#include "dcompiler/lower/clause.hpp"

#include <algorithm>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

Mem mem_of(AddressSpace space)
{
    return space == AddressSpace::User ? Mem::User : Mem::Kernel;
}

} // namespace

Place Expressions::place(const TExpr& e, bool write)
{
    Place at;
    switch (e.op) {
    case TOp::KernelSymbol:
        at.address = b().constant(e.value);
        at.type = e.type;
        return at;
    case TOp::Deref: {
        const Type* pointer = e.kids[0]->type->resolve();
        const Operand target = expression(*e.kids[0]);
        at.address = at.origin = target.value;
        at.mem = target.kind == Operand::Kind::Number ? mem_of(pointer->space) : target.mem;
        at.size = target.size;
        at.scratch = e.kids[0]->scratch;
        at.type = e.type;
        return at;
    }
    case TOp::Member: {
        at = place(*e.kids[0], write);
        const uint64_t bit = e.member->bit_offset;
        at.offset += static_cast<int64_t>(
            e.member->bit_size ? bit / 8 / e.type->resolve()->size * e.type->resolve()->size : bit / 8);
        at.bits = e.member->bit_size ? e.member : nullptr;
        at.type = e.type;
        return at;
    }
    case TOp::Index: {
        if (e.kids[0]->type->is_string())
            return write ? own_character(e) : character(e);
        at = place(*e.kids[0], write);
        const Type* array = e.kids[0]->type->resolve();
        const Value index = value(*e.kids[1]);
        // In memory of the kernel or a process, an array of one element may stand for any number of elements.
        const bool own = at.mem == Mem::MapValue || at.mem == Mem::Stack;
        if (array->kind == TypeKind::Array && (own || array->count > 1))
            clause.fault_if(Op::ULe, b().constant(static_cast<int64_t>(array->count)), index, kFaultBadIndex, index);
        const Value bytes = b().binary(Op::Mul, index, b().constant(static_cast<int64_t>(e.type->resolve()->size)));
        const Mem mem = at.mem;
        at.address = b().binary(Op::Add, at.address, bytes);
        b().instr(at.address).mem = mem;
        b().instr(at.address).region = at.size;
        at.type = e.type;
        return at;
    }
    case TOp::Variable:
        return clause.places.variable_place(target(e), write);
    default: {
        const Operand object = expression(e);
        at.address = object.value;
        at.mem = object.kind == Operand::Kind::Number ? Mem::Kernel : object.mem;
        at.size = object.size;
        at.type = e.type;
        return at;
    }
    }
}

/// Returns one character of a string. It is read like kernel memory, because the verifier knows no bound of the index.
Place Expressions::character(const TExpr& e)
{
    const Operand string = text(*e.kids[0]);
    const Value index = value(*e.kids[1]);
    Place at;
    at.origin = string.value;
    at.address = b().binary(Op::Add, clause.values.address_number(string), index);
    at.mem = string.mem == Mem::User ? Mem::User : Mem::Kernel;
    at.type = e.type;
    return at;
}

/// Returns one character of a string variable for writing. The last character must remain the NUL of the longest text.
Place Expressions::own_character(const TExpr& e)
{
    const Value index = value(*e.kids[1]);
    Operand string = clause.variables.read(target(*e.kids[0]));
    if (string.may_be_null) {
        clause.fault_if(Op::Eq, string.value, b().constant(0), kFaultBadAddress, index);
        string = clause.strings.present(string);
    }
    clause.fault_if(Op::ULe, b().constant(static_cast<int64_t>(string.size) - 1), index, kFaultBadIndex, index);
    Place at;
    at.address = b().binary(Op::Add, string.value, index);
    at.mem = b().instr(at.address).mem = string.mem;
    at.size = b().instr(at.address).region = string.size;
    at.type = e.type;
    return at;
}

Target Expressions::target(const TExpr& e)
{
    Target t;
    t.variable = e.variable;
    if (e.kids.empty())
        return t;
    const uint32_t prefix = module().layout.tuple_prefix(*e.variable);
    uint32_t size = prefix;
    for (const Type* type : e.variable->keys)
        size += align_up(module().layout.storage_size(type), 8);
    // Keys may contain keys. Separate addresses for each level would occupy the stack until the inner keys are
    // computed.
    const auto [base, offset] = clause.temporary_place(size);
    if (e.variable->scope == Scope::Self)
        b().store(8, base, offset, b().call_helper(kGetCurrentTask, {}));
    if (module().layout.shares_maps())
        b().store(8, base, offset + prefix - 8,
                  b().constant(static_cast<int64_t>(e.variable->scope) << 32 | e.variable->index));
    tuple_into(e.kids, e.variable->keys, base, offset + prefix);
    t.key = clause.values.interior(base, offset, size);
    return t;
}

void Expressions::tuple_into(const std::vector<TExpr*>& keys, const std::vector<const Type*>& types, Value dst,
                             int64_t offset)
{
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const uint32_t size = module().layout.storage_size(types[i]), room = align_up(size, 8);
        if (size < room && types[i]->is_scalar()) {
            // The number and its padding are one store, so the number is zero-extended.
            b().store(8, dst, offset, b().unary(Op::ZExt, value(*keys[i]), static_cast<uint8_t>(size)));
            offset += room;
            continue;
        }
        if (size < room)
            clause.values.zero(dst, offset, room);
        key_into(*keys[i], types[i], dst, offset, size);
        offset += room;
    }
}

void Expressions::key_into(const TExpr& e, const Type* type, Value dst, int64_t offset, uint32_t size)
{
    if (type->is_string())
        return text_into(e, dst, offset, size, true);
    const Operand operand = expression(e);
    if (operand.kind == Operand::Kind::Number) {
        b().store(static_cast<uint8_t>(std::min<uint32_t>(size, 8)), dst, offset, operand.value);
        return;
    }
    Place from;
    from.address = from.origin = operand.value;
    from.mem = operand.mem;
    from.type = type;
    const Type* real = type->resolve();
    if (real->kind == TypeKind::Array && real->target->resolve()->is_char)
        return clause.memory.characters_into(from, dst, offset, size);
    clause.memory.copy_bytes(from, dst, offset, size);
}

Operand Expressions::assign(const TExpr& e)
{
    const TExpr &left = *e.kids[0], &right = *e.kids[1];
    const bool plain = e.compound == TOp::Integer;
    if (left.op != TOp::Variable) {
        const Place at = place(left, true);
        Operand fresh = left.type->is_string() ? text(right) : expression(right);
        const Operand old = plain ? fresh : clause.memory.load(at);
        if (!plain)
            fresh = compound(e, old, fresh.value);
        else if (fresh.kind == Operand::Kind::Number)
            fresh.value = stored(fresh.value, left);
        clause.memory.store(at, fresh);
        return e.post ? old : fresh;
    }
    const Target t = target(left);
    const bool zero_constant = right.op == TOp::Integer && right.value == 0;
    if (plain && zero_constant && (left.type->is_string() || left.variable->scope == Scope::Self || t.key != kNone)) {
        clause.variables.erase(t);
        return number(b().constant(0));
    }
    if (plain) {
        Operand fresh = left.type->is_string() ? text(right) : expression(right);
        if (fresh.kind == Operand::Kind::Number)
            fresh.value = stored(fresh.value, left);
        const bool takes_null =
            t.key != kNone || left.variable->scope != Scope::Global || module().layout.nullable(*left.variable);
        if (fresh.kind == Operand::Kind::Text && fresh.may_be_null && takes_null)
            return clause.variables.assign_nullable(t, fresh);
        clause.variables.write(t, fresh);
        return fresh;
    }
    const Operand old = clause.variables.read(t);
    const Operand fresh = compound(e, old, value(right));
    clause.variables.write(t, fresh);
    return e.post ? old : fresh;
}

/// Computes `old op= right`, narrowed to the type of the left side.
Operand Expressions::compound(const TExpr& e, const Operand& old, Value right)
{
    return number(stored(arithmetic(e.compound, old.value, right, e.is_signed, e.value), *e.kids[0]));
}

/// Yields the value of an assignment, which is the number as the lvalue stores it.
Value Expressions::stored(Value v, const TExpr& left)
{
    if (left.op == TOp::Member && left.member->bit_size)
        return clause.values.extend_bits(v, 0, left.member->bit_size, left.type);
    return clause.values.narrow(v, left.op == TOp::Variable ? left.variable->stored : left.type);
}

} // namespace dt::lower
