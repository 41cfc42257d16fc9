// The counters of -x firings: one dt_firings for each probe of each program and CPU, in memory that the consumer maps.
#include "dcompiler/lower/firings.hpp"

#include <algorithm>
#include <cstddef>

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

// With more than this all CPUs share one set of counters, by atomic additions: memory is worth more than their time
// then.
constexpr uint64_t kMostByCpu = 16 << 20;
constexpr const char* kFirings = "dt_firings";
constexpr int64_t kHasSent = 4; // of the frame's word, above the outcome: a sample

/// Adds one to a word of the probe's dt_firings. `member`: offset of the word.
void count(Context& context, uint32_t first, Value member)
{
    ModuleLowering& module = context.module;
    ir::Builder& b = *context.b;
    const uint32_t data = module.data.once(kFirings, [] { return ir::Data{}; }); // which is there
    const uint32_t size = module.data.at(data).size;
    const bool by_cpu = module.out.schema.firing_sets > 1;
    const Value place = context.ecb == kNone ? b.constant(first) : b.load(4, context.ecb, offsetof(dt_ecb, firings));
    Value offset = b.binary(Op::Add, b.binary(Op::Mul, place, b.constant(sizeof(dt_firings))), member);
    if (by_cpu)
        offset = b.binary(
            Op::Add, offset,
            b.binary(Op::Mul, b.call_helper(kGetSmpProcessorId, {}), b.constant(size / module.out.schema.firing_sets)));
    const ir::BlockId inside = b.block(), done = b.block();
    b.branch(Op::ULt, offset, b.constant(size - 7), inside, done); // always; the verifier cannot know
    b.enter(inside);
    const Value address = b.binary(Op::Add, b.data_addr(data, size), offset);
    b.instr(address).mem = Mem::MapValue;
    b.instr(address).region = 8;
    if (by_cpu && !context.plan->kind_info().unguarded)
        b.store(8, address, 0, b.binary(Op::Add, b.load(8, address), b.constant(1)));
    else
        b.atomic_add(8, address, 0, b.constant(1));
    b.jump(done);
    b.enter(done);
}

} // namespace

void lay_out_firings(ModuleLowering& module, std::size_t probes)
{
    const uint64_t set = std::max<uint64_t>(probes, 1) * sizeof(dt_firings);
    const uint64_t cpus = std::max<uint32_t>(module.world.target().cpus, 1);
    module.out.schema.firing_sets = static_cast<uint32_t>(cpus * set <= kMostByCpu ? cpus : 1);
    const auto size = static_cast<uint32_t>(module.out.schema.firing_sets * set);
    module.data.once(kFirings, [&] {
        return ir::Data{kFirings, DT_SECTION_FIRINGS, size, 8, std::vector<uint8_t>(size, 0)};
    });
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
