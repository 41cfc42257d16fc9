// Prepares text for runtime functions, and copies it to the scratch slot if they cannot read it in place.
#include "dcompiler/lower/strings_sources.hpp"

#include <algorithm>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

uint32_t most(ClauseLowering& l)
{
    return static_cast<uint32_t>(l.module().options.strsize) + 1;
}

/// Returns the text after a check that it is not NULL.
Operand present_text(ClauseLowering& l, const TExpr& e)
{
    Operand text = l.expressions.text(e);
    if (!text.may_be_null)
        return text;
    l.fault_if(Op::Eq, text.value, l.b().constant(0), kFaultBadAddress, l.b().constant(0));
    return l.strings.present(text);
}

Source copied(ClauseLowering& l, const Operand& text)
{
    const uint32_t size = std::clamp<uint32_t>(text.size, 1, most(l)), room = align_up(size, 8);
    const Value buffer = l.scratch_temporary(room);
    l.strings.text_into(text, buffer, 0, size, false);
    return {buffer, size};
}

} // namespace

Source readable_source(ClauseLowering& l, const TExpr& e)
{
    const Operand text = present_text(l, e);
    if (text.loadable() || text.readable)
        return {text.value, std::clamp<uint32_t>(text.size, 1, most(l))};
    return copied(l, text);
}

Source loadable_source(ClauseLowering& l, const TExpr& e)
{
    const Operand text = present_text(l, e);
    if (text.mem == Mem::MapValue && text.size <= most(l))
        return {text.value, std::max<uint32_t>(text.size, 1)};
    return copied(l, text);
}

Source slot_source(ClauseLowering& l, const TExpr& e)
{
    return copied(l, present_text(l, e));
}

Operand tail(Value address, uint32_t size, bool may_be_null)
{
    Operand text{Operand::Kind::Text, address, Mem::Kernel, size, may_be_null, false, {}};
    text.readable = true;
    return text;
}

} // namespace dt::lower
