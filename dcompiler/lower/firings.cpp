// The counters of -x firings: one dt_firings for each probe of each program and CPU, in memory that the consumer maps.
#include "dcompiler/lower/firings.hpp"

#include <cstddef>

#include "dcompiler/lower/by_probe.hpp"

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr const char* kFirings = "dt_firings";
constexpr int64_t kHasSent = 4; // of the frame's word, above the outcome: a sample

/// Adds one to a word of the probe's dt_firings. `member`: offset of the word.
void count(Context& context, uint32_t first, Value member)
{
    ir::Builder& b = *context.b;
    const ByProbe where{kFirings, sizeof(dt_firings), context.module.out.schema.firing_sets};
    const ir::BlockId done = b.block();
    const Value address = word_of_firing_probe(context, where, first, member, done);
    if (where.sets > 1 && !context.plan->kind_info().unguarded)
        b.store(8, address, 0, b.binary(Op::Add, b.load(8, address), b.constant(1)));
    else
        b.atomic_add(8, address, 0, b.constant(1));
    b.jump(done);
    b.enter(done);
}

} // namespace

void lay_out_firings(ModuleLowering& module, std::size_t probes)
{
    lay_out_by_probe(module, kFirings, DT_SECTION_FIRINGS, probes, sizeof(dt_firings), module.out.schema.firing_sets);
}

void note(Context& context, Outcome outcome)
{
    if (!context.module.options.counts_firings())
        return;
    ir::Builder& b = *context.b;
    const int64_t word = FrameLayout::kThis + context.module.layout.outcome_word();
    b.store(8, context.frame, word,
            b.binary(Op::Or, b.load(8, context.frame, word), b.constant(static_cast<int64_t>(outcome))));
}

ir::Value size_word(Context& context, uint32_t size)
{
    ir::Builder& b = *context.b;
    if (!context.module.options.counts_firings())
        return b.constant(size);
    const int64_t word = FrameLayout::kThis + context.module.layout.outcome_word();
    const Value noted = b.load(8, context.frame, word);
    b.store(8, context.frame, word, b.binary(Op::Or, noted, b.constant(kHasSent)));
    const Value flag =
        b.binary(Op::Mul, b.binary(Op::And, noted, b.constant(kHasSent)), b.constant(DT_SAMPLE_CONTINUES / kHasSent));
    return b.binary(Op::Or, flag, b.constant(size));
}

void count_beginning(Context& context, uint32_t first)
{
    if (context.module.options.counts_firings())
        count(context, first, context.b->constant(offsetof(dt_firings, begun)));
}

void count_firing(Context& context, uint32_t first)
{
    if (!context.module.options.counts_firings())
        return;
    ir::Builder& b = *context.b;
    const int64_t word = FrameLayout::kThis + context.module.layout.outcome_word();
    const Value noted = b.binary(Op::And, b.load(8, context.frame, word), b.constant(kHasSent - 1));
    const Value counter =
        b.binary(Op::LShr, b.binary(Op::Add, noted, b.constant(1)), b.constant(1)); // 0, 1, 3: the order of dt_firings
    count(context, first, b.binary(Op::Mul, counter, b.constant(8)));
}

} // namespace dt::lower
