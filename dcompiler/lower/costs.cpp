// The counters of -x cost, in memory that the consumer maps: what a firing pays that is not timed is an addition and
// two comparisons.
#include "dcompiler/lower/costs.hpp"

#include <algorithm>
#include <cstddef>

#include "dcompiler/lower/by_probe.hpp"

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

// How the times of single probes lie is kept for so many; of more there are only sums.
constexpr std::size_t kMostWithTimes = 4096;
constexpr const char* kCosts = "dt_costs";
constexpr const char* kTimes = "dt_cost_times";

Value times_of(Context& context, Value number, ir::BlockId none)
{
    ir::Builder& b = *context.b;
    return inside(context, kTimes, b.binary(Op::Mul, number, b.constant(sizeof(dt_cost_times))), sizeof(dt_cost_times),
                  none);
}

Value costing(Context& context)
{
    ir::Builder& b = *context.b;
    return b.binary(Op::Add, context.frame, b.constant(FrameLayout::kThis + context.module.layout.cost_words()));
}

/// Goes on in a block for firings that are timed, of which there are few.
void if_timed(Context& context, ir::BlockId otherwise)
{
    ir::Builder& b = *context.b;
    const int64_t weight = FrameLayout::kThis + context.module.layout.cost_words() + offsetof(dt_costing, weight);
    const ir::BlockId timed = b.block();
    b.branch(Op::Ne, b.load(8, context.frame, weight), b.constant(0), timed, otherwise);
    b.enter(timed);
    b.is_seldom();
}

} // namespace

void lay_out_costs(ModuleLowering& module, std::size_t probes)
{
    lay_out_by_probe(module, kCosts, DT_SECTION_COSTS, probes, sizeof(dt_cost), module.out.schema.cost_sets);
    const std::size_t tables = module.program.statements.size() + (probes <= kMostWithTimes ? probes : 0);
    const auto size = static_cast<uint32_t>(std::max<std::size_t>(tables, 1) * sizeof(dt_cost_times));
    module.data.once(kTimes, [&] {
        return ir::Data{kTimes, DT_SECTION_COST_TIMES, size, 8, std::vector<uint8_t>(size, 0)};
    });
}

void begin_cost(Context& context, uint32_t first)
{
    if (!context.module.options.times_firings())
        return;
    ir::Builder& b = *context.b;
    const ByProbe where{kCosts, sizeof(dt_cost), context.module.out.schema.cost_sets};
    const ir::BlockId done = b.block(), timed = b.block();
    const Value cost = of_firing_probe(context, where, first, done);
    const int64_t fired = offsetof(dt_cost, fired);
    Value count = kNone;
    if (where.sets > 1 && !context.plan->kind_info().unguarded) {
        count = b.binary(Op::Add, b.load(8, cost, fired), b.constant(1));
        b.store(8, cost, fired, count);
    } else {
        b.atomic_add(8, cost, fired, b.constant(1));
        count = b.load(8, cost, fired);
    }
    b.branch(Op::ULt, count, b.load(8, cost, offsetof(dt_cost, next)), done, timed);
    b.enter(timed);
    b.is_seldom();
    b.call_runtime("dt_cost_begin", {cost, costing(context)});
    b.jump(done);
    b.enter(done);
}

void end_clause_cost(Context& context, const Statement& statement)
{
    ir::Builder& b = *context.b;
    const ir::BlockId done = b.block();
    if_timed(context, done);
    b.call_runtime("dt_cost_clause", {times_of(context, place_of_clause(context, statement), done), costing(context)});
    b.jump(done);
    b.enter(done);
}

void end_cost(Context& context, const Group& group)
{
    ModuleLowering& module = context.module;
    if (!module.options.times_firings())
        return;
    ir::Builder& b = *context.b;
    const ByProbe where{kCosts, sizeof(dt_cost), module.out.schema.cost_sets};
    const ir::BlockId done = b.block();
    if_timed(context, done);
    const Value cost = of_firing_probe(context, where, group.first_counted, done);
    const GroupStatement& last = group.statements.back();
    context.statement_number_at = last.number_at;
    const Value clause = times_of(context, place_of_clause(context, *last.statement), done);
    Value of_probe = b.constant(0);
    if (module.out.schema.counted.size() <= kMostWithTimes)
        of_probe = times_of(context,
                            b.binary(Op::Add, place_of_probe(context, group.first_counted),
                                     b.constant(static_cast<int64_t>(module.program.statements.size()))),
                            done);
    const auto readings = static_cast<int64_t>(3 * group.statements.size());
    b.call_runtime("dt_cost_end", {cost, clause, of_probe, costing(context), b.constant(readings)});
    b.jump(done);
    b.enter(done);
}

} // namespace dt::lower
