// == and != of structs and unions: byte by byte, padding included, as memcmp(3) would (README of the reference, open points).
//
// There is no helper that compares memory, and a loop would cost the verifier more than it saves: the words are compared in a row, their
// differences collected, so that there is no branch at all.
#include "dcompiler/lower/clause.hpp"

#include <algorithm>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kMostCompared = 1024; // bytes

uint8_t step_of(uint32_t left)
{
    return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

} // namespace

/// The struct's bytes in memory that can be loaded from.
Value ClauseLowering::loadable_record(const TExpr& e, uint32_t size)
{
    const Operand record = expression(e);
    if (record.mem == Mem::MapValue || record.mem == Mem::Stack)
        return record.value;
    Mem mem;
    const Value copy = temporary(size, mem);
    Place from;
    from.address = from.origin = record.value;
    from.mem = record.mem;
    from.type = e.type;
    copy_bytes(from, copy, 0, size);
    return copy;
}

Value ClauseLowering::compare_records(const TExpr& e)
{
    const TExpr &left_side = *e.kids[0], &right_side = *e.kids[1];
    const auto size = static_cast<uint32_t>(left_side.type->resolve()->size);
    if (size > kMostCompared) {
        unsupported(e.at, "comparison of structs of more than " + std::to_string(kMostCompared) + " bytes");
        return b().constant(0);
    }
    const Value left = loadable_record(left_side, size), right = loadable_record(right_side, size);
    Value difference = b().constant(0);
    for (uint32_t done = 0; done < size;) {
        const uint8_t step = step_of(size - done);
        const Value here = b().binary(Op::Xor, b().load(step, left, done), b().load(step, right, done));
        difference = b().binary(Op::Or, difference, here);
        done += step;
    }
    return b().binary(e.op == TOp::Equal ? Op::Eq : Op::Ne, difference, b().constant(0));
}

} // namespace dt::lower
