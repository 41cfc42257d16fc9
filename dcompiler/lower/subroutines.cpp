// Lowers subroutines that need a few instructions or one helper call. Subroutines that walk strings are in bpf-runtime.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/user_address.hpp"

#include <algorithm>
#include <utility>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

Operand lower_copyinstr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value address = l.expressions.value(*e.kids[0]);
    // strsize bytes contain strsize - 1 characters and a NUL.
    uint32_t size = std::min<uint32_t>(l.values.text_size(e.type), static_cast<uint32_t>(l.module().options.strsize));
    Mem mem;
    if (e.kids.size() > 1 && e.kids[1]->op == TOp::Integer)
        size = static_cast<uint32_t>(std::clamp<int64_t>(e.kids[1]->value, 0, size));
    const TExpr* const fallback = e.kids.size() > 2 ? e.kids[2] : nullptr;
    const uint32_t most =
        std::min<uint32_t>(l.values.text_size(e.type), static_cast<uint32_t>(l.module().options.strsize));
    const uint32_t room = fallback ? most : std::max<uint32_t>(size, 1);
    uint32_t granted = room;
    const Value buffer = l.strings.text_buffer(granted, mem);
    Value length = b.constant(std::min(granted, size));
    if (e.kids.size() > 1 && e.kids[1]->op != TOp::Integer)
        length = l.values.at_most(l.expressions.value(*e.kids[1]), granted);
    if (e.kids.size() > 1 && (size == 0 || e.kids[1]->op != TOp::Integer))
        b.store(1, buffer, 0, b.constant(0)); // for 0 bytes the helper does not even write a NUL
    if (size == 0)
        return {Operand::Kind::Text, buffer, mem, room, false, false, {}};
    // Kernels before 6.15 return 0 instead of 1 for an empty text.
    const Value result = b.call_helper(kProbeReadUserStr, {buffer, length, for_helper(l, Mem::User, address)});
    if (fallback)
        b.if_then(Op::SLt, result, b.constant(0), [&] {
            b.is_seldom();
            l.arm([&] { l.strings.text_into(l.expressions.text(*fallback), buffer, 0, granted, false); });
        });
    else
        l.fault_if(Op::SLt, result, b.constant(0), kFaultBadAddress, address);
    return {Operand::Kind::Text, buffer, mem, room, false, false, {}};
}

Operand lower_strlen(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Operand text = l.expressions.text(*e.kids[0]);
    if (text.constant)
        return number(
            b.constant(static_cast<int64_t>(std::min<uint64_t>(text.text.size(), l.module().options.strsize))));
    if (text.may_be_null)
        l.fault_if(Op::Eq, text.value, b.constant(0), kFaultBadAddress, b.constant(0));
    // The copying helper counts the bytes including the NUL. It returns a negative errno for an unreadable address,
    // which counts as 0.
    Mem mem;
    const uint32_t size = static_cast<uint32_t>(l.module().options.strsize) + 1;
    const Value buffer = l.temporary(align_up(size, 8), mem);
    const Value copied = b.call_helper(text.mem == Mem::User ? kProbeReadUserStr : kProbeReadKernelStr,
                                       {buffer, b.constant(size), for_helper(l, text.mem, text.value)});
    const auto without_nul = [&] { return b.binary(Op::Sub, copied, b.constant(1)); };
    return number(b.select(Op::SLt, b.constant(0), copied, without_nul, [&] { return b.constant(0); }));
}

Operand lower_rand(ClauseLowering& l, const TExpr&)
{
    return number(l.b().unary(Op::SExt, l.b().call_helper(kGetPrandomU32, {}), 4));
}

namespace {

template <int Width> Operand swap(ClauseLowering& l, const TExpr& e)
{
    return number(l.b().unary(Op::BSwap, l.expressions.value(*e.kids[0]), Width));
}

} // namespace

Operand lower_swap16(ClauseLowering& l, const TExpr& e)
{
    return swap<2>(l, e);
}
Operand lower_swap32(ClauseLowering& l, const TExpr& e)
{
    return swap<4>(l, e);
}
Operand lower_swap64(ClauseLowering& l, const TExpr& e)
{
    return swap<8>(l, e);
}

Operand lower_getmajor(ClauseLowering& l, const TExpr& e)
{
    const Value device = l.b().unary(Op::ZExt, l.expressions.value(*e.kids[0]), 4);
    return number(l.b().binary(Op::LShr, device, l.b().constant(20)));
}

Operand lower_getminor(ClauseLowering& l, const TExpr& e)
{
    return number(l.b().binary(Op::And, l.expressions.value(*e.kids[0]), l.b().constant(0xfffff)));
}

} // namespace dt::lower
