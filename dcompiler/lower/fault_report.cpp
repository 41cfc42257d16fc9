// Emits the report of a fault, whose words are in the frame of the failed clause.
#include "dcompiler/lower/fault_report.hpp"

#include <cstddef>

#include "dcompiler/lower/firings.hpp"

namespace dt::lower {

using ir::Op;
using ir::Value;

void report_fault(Context& context)
{
    ir::Builder& b = *context.b;
    ModuleLowering& module = context.module;
    const uint32_t size = sizeof(dt_sample) + sizeof(dt_fault);
    const Value report = b.stack_addr(b.slot(size));
    const int64_t data = sizeof(dt_sample);
    const auto word = [&](int n) { return b.load(8, context.frame, FrameLayout::kFault + 8 * n); };
    b.store(4, report, offsetof(dt_sample, size), size_word(context, size));
    b.store(4, report, offsetof(dt_sample, spec), b.constant(0));
    b.store(4, report, offsetof(dt_sample, probe), word(1));
    b.store(4, report, offsetof(dt_sample, stmt), b.constant(DT_STMT_FAULT));
    b.store(4, report, data + static_cast<int64_t>(offsetof(dt_fault, stmt)), word(2));
    b.store(4, report, data + static_cast<int64_t>(offsetof(dt_fault, code)), word(4));
    b.store(8, report, data + static_cast<int64_t>(offsetof(dt_fault, pc)), word(3));
    b.store(8, report, data + static_cast<int64_t>(offsetof(dt_fault, value)), word(5));
    const Value failed = b.call_helper(kPerfEventOutput, {context.context, b.map_ref(module.maps.buffers()),
                                                          b.constant(kCurrentCpu), report, b.constant(size)});
    const ir::BlockId lost = b.block(), sent = b.block(), ok = b.block();
    b.branch(Op::Ne, failed, b.constant(0), lost, sent);
    b.enter(lost);
    b.call_local(module.functions.lose(Loss::Principal), {});
    note(context, Outcome::Lost);
    b.jump(ok);
    b.enter(sent);
    note_sent(context);
    b.jump(ok);
    b.enter(ok);
    b.call_local(module.functions.ring(), {});
}

void note_sent(Context& context)
{
    if (context.module.options.pin.empty())
        return;
    const uint32_t data = context.module.data.sent();
    context.b->atomic_add(8, context.b->data_addr(data, sizeof(dt_sent)), offsetof(dt_sent, sent),
                          context.b->constant(1));
}

void free_area(Context& context)
{
    ir::Builder& b = *context.b;
    ModuleLowering& module = context.module;
    const Value number = b.load(8, context.frame, FrameLayout::kSlot);
    const ir::BlockId held = b.block(), done = b.block();
    b.branch(Op::Ne, number, b.constant(0), held, done);
    b.enter(held);
    b.store(8, module.functions.claimed_slot(b, number, done), module.layout.area(true).head, b.constant(0));
    b.jump(done);
    b.enter(done);
}

} // namespace dt::lower
