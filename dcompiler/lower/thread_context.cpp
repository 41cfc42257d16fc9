// traceid, spanid and ctxattr(): what the current thread says it works for (bpf-runtime/thread_context.bpf.c).
#include <algorithm>
#include <cstddef>

#include "bpf-runtime/thread_context.h"
#include "dcompiler/context_names.hpp"
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "machine/machine.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

/// Memory for a reading, which begins with a dt_thread_context that says whose it is.
Value begin_reading_context(ClauseLowering& l, const Span& at, const std::string& who, uint32_t size)
{
    auto& b = l.b();
    const std::string_view member = l.module().world.machine().thread_locals.pointer;
    if (member.empty())
        l.module().diagnostics.error("D_UNKNOWN", at, who + " is not known on this kind of machine");
    const int64_t pointer = needed_offset(l, at, who, "task_struct", member);
    const int64_t space = needed_offset(l, at, who, "task_struct", "mm");
    const Value context = l.scratch_temporary(size);
    const auto set = [&](std::size_t to, Value value) { b.store(8, context, static_cast<int64_t>(to), value); };
    set(offsetof(dt_thread_context, process), l.builtins.process_id());
    set(offsetof(dt_thread_context, mm), b.load(8, l.builtins.task(), space));
    set(offsetof(dt_thread_context, thread_pointer), b.load(8, l.builtins.task(), pointer));
    return context;
}

/// The consumer is to look soon, if the reading says so.
void end_reading_context(ClauseLowering& l, Value wants)
{
    auto& b = l.b();
    const ir::BlockId soon = b.block(), on = b.block();
    b.branch(Op::Ne, wants, b.constant(0), soon, on);
    b.enter(soon);
    b.is_seldom();
    l.wake(false);
    b.jump(on);
    b.enter(on);
}

Operand part_of_context(ClauseLowering& l, const TExpr& e, std::size_t at, uint32_t size)
{
    const Value context = begin_reading_context(l, e.at, std::string(e.builtin->name), sizeof(dt_thread_context));
    end_reading_context(l, l.b().call_runtime("dt_thread_context", {context}));
    const Value text = l.values.interior(context, static_cast<int64_t>(at), size);
    return {Operand::Kind::Text, text, Mem::MapValue, size, false, false, {}};
}

} // namespace

Operand lower_traceid(ClauseLowering& l, const TExpr& e)
{
    return part_of_context(l, e, offsetof(dt_thread_context, trace), sizeof(dt_thread_context::trace));
}

Operand lower_spanid(ClauseLowering& l, const TExpr& e)
{
    return part_of_context(l, e, offsetof(dt_thread_context, span), sizeof(dt_thread_context::span));
}

Operand lower_ctxattr(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const auto size = static_cast<uint32_t>(std::min<uint64_t>(DT_CONTEXT_VALUE, l.module().options.strsize + 1));
    const auto digest = static_cast<int64_t>(context_name_digest(e.kids[0]->text));
    const Value attribute = begin_reading_context(l, e.at, "ctxattr( )", sizeof(dt_context_attribute));
    end_reading_context(l,
                        b.call_runtime("dt_context_attribute", {attribute, b.constant(digest), b.constant(size - 1)}));
    const Value text = l.values.interior(attribute, offsetof(dt_context_attribute, value), size);
    return {Operand::Kind::Text, text, Mem::MapValue, size, false, false, {}};
}

} // namespace dt::lower
