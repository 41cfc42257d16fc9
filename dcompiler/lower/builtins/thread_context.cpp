// Lowers traceid, spanid and ctxattr(): identifiers of the distributed trace to which the current thread's work
// belongs. The thread publishes them in its memory (bpf-runtime/processes/thread_context.bpf.c).
#include <algorithm>
#include <cstddef>

#include "bpf-runtime/processes/thread_context.h"
#include "dcompiler/interface/thread_names.hpp"
#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/core/hooks.hpp"
#include "machine/machine.hpp"
#include "machine/paging.hpp"

namespace dt::lower {

namespace {

/// Allocates the memory into which the current thread's trace context is read. A dt_thread_context that identifies the
/// thread is at the beginning of the memory.
Value begin_reading_context(ClauseLowering& l, const Span& at, const std::string& who, uint32_t size)
{
    auto& b = l.b();
    const std::string_view member = l.module().world.machine().thread_locals.pointer;
    if (member.empty())
        l.module().diagnostics.error("D_UNKNOWN", at, who + " is not available on this kind of machine");
    const int64_t pointer = needed_offset(l, at, who, "task_struct", member);
    const int64_t space = needed_offset(l, at, who, "task_struct", "mm");
    const Value context = l.scratch_temporary(size);
    const auto set = [&](std::size_t to, Value value) { b.store(8, context, static_cast<int64_t>(to), value); };
    set(offsetof(dt_thread_context, process), l.builtins.process_id());
    set(offsetof(dt_thread_context, mm), b.load(8, l.builtins.task(), space));
    set(offsetof(dt_thread_context, thread_pointer), b.load(8, l.builtins.task(), pointer));
    return context;
}

/// Wakes the consumer if `wants` is not 0. The runtime function that reads the thread's trace context returns `wants`:
/// whether user space should examine the process.
void end_reading_context(ClauseLowering& l, Value wants)
{
    auto& b = l.b();
    const ir::BlockId soon = b.block(), on = b.block();
    b.branch(Op::Ne, wants, b.constant(0), soon, on);
    b.enter(soon);
    b.is_cold();
    l.wake(false);
    b.jump(on);
    b.enter(on);
}

/// Reads the thread-local variable by which a thread publishes its trace context, and the record to which the variable
/// points. The program walks the page tables itself if it knows the format of the kernel's tables.
void follow_pages(ClauseLowering& l, Value context)
{
    constexpr int64_t kPage = 4096, kRecord = sizeof(dt_thread_context::record);
    auto& b = l.b();
    const auto paging = machine::paging(l.module().world.machine());
    if (!paging)
        return;
    const auto table_at = kernel_offset(l, "mm_struct", paging->table);
    const auto taken_at = kernel_offset(l, "mm_struct", paging->taken);
    const auto pages = table_at && taken_at ? l.module().functions.page(*table_at) : std::nullopt;
    if (!pages)
        return;
    const auto member = [&](std::size_t at) { return b.load(8, context, static_cast<int64_t>(at)); };
    const auto set = [&](std::size_t at, Value value) { b.store(8, context, static_cast<int64_t>(at), value); };
    // Each load has its own cast from number to address. The optimizer would merge two loads through one cast, although
    // the memory may change between them.
    const Value mm = member(offsetof(dt_thread_context, mm));
    const auto taken = [&](Value of) { return l.values.load_anywhere(of, static_cast<int64_t>(*taken_at), 8); };
    const Value memory = member(offsetof(dt_thread_context, memory)),
                place = member(offsetof(dt_thread_context, place));
    const ir::BlockId known = b.block(), there = b.block(), trusted = b.block(), some = b.block(), near = b.block(),
                      record = b.block(), right = b.block(), on = b.block();
    b.branch(Op::Ne, b.binary(Op::Mul, memory, b.binary(Op::Ne, place, b.constant(0))), b.constant(0), known, on);
    b.enter(known);
    const Value before = taken(mm);
    const Value variable = b.call_local(*pages, {mm, memory, place});
    b.branch(Op::Ne, variable, b.constant(0), there, on);
    b.enter(there);
    const Value word = l.values.load_anywhere(variable, 0, 8);
    set(offsetof(dt_thread_context, word), word);
    b.branch(Op::Ne, member(offsetof(dt_thread_context, is_trusted)), b.constant(0), trusted, on);
    const auto check = [&] { // checks that the pages did not change to another owner while data were read
        const Value again = member(offsetof(dt_thread_context, mm));
        b.branch(Op::Eq, taken(again), before, right, on);
    };
    b.enter(trusted);
    const ir::BlockId none = b.block();
    b.branch(Op::Ne, word, b.constant(0), some, none);
    b.enter(none);
    check();
    b.enter(some);
    b.branch(Op::ULe, b.binary(Op::And, word, b.constant(kPage - 1)), b.constant(kPage - kRecord), near, on);
    b.enter(near);
    const Value at = b.call_local(*pages, {mm, memory, word});
    b.branch(Op::Ne, at, b.constant(0), record, on);
    b.enter(record);
    for (int64_t i = 0; i < kRecord; i += 8)
        set(offsetof(dt_thread_context, record) + static_cast<std::size_t>(i), l.values.load_anywhere(at, i, 8));
    check();
    b.enter(right);
    set(offsetof(dt_thread_context, is_read), b.constant(1));
    b.jump(on);
    b.enter(on);
}

Operand part_of_context(ClauseLowering& l, const TExpr& e, std::size_t at, uint32_t size)
{
    const Value context = begin_reading_context(l, e.at, std::string(e.builtin->name), sizeof(dt_thread_context));
    l.b().call_runtime("dt_context_place", {context});
    follow_pages(l, context);
    end_reading_context(l, l.b().call_runtime("dt_context_text", {context}));
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
