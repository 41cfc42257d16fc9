// Implements the counters of -x cost, in memory that the consumer maps. Also implements the tables of counters by probe
// and by clause, which other options use too.
//
// A program with -x cost has two copies of its code. One counts and times firings, the other is the same as without -x
// cost. The program first tests its timing switch, a word that selects the copy. In the second copy, this test replaces
// the check of whether tracing is on, so a firing takes no extra time while the timing switch is off.
#include "dcompiler/lower/counting/counters.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "dcompiler/lower/counting/hit_counts.hpp"
#include "dcompiler/lower/counting/sampling.hpp"

namespace dt::lower {

namespace {

// Up to this number of probes, each has a histogram of its firings' times. With more probes, each has only sums.
constexpr std::size_t kMaxWithTimes = 4096;
constexpr const char* kCosts = "dt_costs";
constexpr const char* kTimes = "dt_cost_times";

Value times_of(Context& context, Value number, ir::BlockId none)
{
    ir::Builder& b = *context.b;
    return address_in_data(context, kTimes, b.binary(Op::Mul, number, b.constant(sizeof(dt_cost_times))),
                           sizeof(dt_cost_times), none);
}

Value costing(Context& context)
{
    ir::Builder& b = *context.b;
    return b.binary(Op::Add, context.frame, b.constant(FrameLayout::kThis + context.module.layout.cost_words()));
}

ByProbe costs_of(const ModuleLowering& module)
{
    return {kCosts, sizeof(dt_cost), module.out.schema.cost_sets};
}

/// Yields a 4-byte member of the program's timing switch (dt_timing_switch).
Value timing_switch_word(Context& context, uint32_t timing_switch, std::size_t member)
{
    ir::Builder& b = *context.b;
    const Value state = b.data_addr(context.module.data.state(), sizeof(dt_state));
    return b.load(
        4, state,
        static_cast<int64_t>(offsetof(dt_state, timing_switches) + timing_switch * sizeof(dt_timing_switch) + member));
}

/// Emits a test of the timing switch. If it is on, control goes to a new cold (rarely executed) block, to which the
/// following code is appended; otherwise to `otherwise`.
void if_on(Context& context, uint32_t timing_switch, ir::BlockId otherwise)
{
    ir::Builder& b = *context.b;
    const ir::BlockId on = b.block();
    b.branch(Op::Eq, timing_switch_word(context, timing_switch, offsetof(dt_timing_switch, off)), b.constant(DT_ACTIVE),
             otherwise, on);
    b.enter(on);
    b.is_cold();
}

/// Adds a number to a counter and yields the sum.
Value add_to(Context& context, Value cost, int64_t member, Value firings)
{
    ir::Builder& b = *context.b;
    if (context.module.out.schema.cost_sets <= 1 || interrupts_itself(context.module, *context.plan)) {
        b.atomic_add(8, cost, member, firings);
        return b.load(8, cost, member);
    }
    const Value sum = b.binary(Op::Add, b.load(8, cost, member), firings);
    b.store(8, cost, member, sum);
    return sum;
}

/// Emits code that counts a firing. The firing counts as many times as the weight in the timing switch says. Yields the
/// new number of firings.
Value count_weighted(Context& context, Value cost, uint32_t timing_switch)
{
    ir::Builder& b = *context.b;
    add_to(context, cost, offsetof(dt_cost, sampled),
           timing_switch_word(context, timing_switch, offsetof(dt_timing_switch, weight)));
    const Value more = timing_switch_word(context, timing_switch, offsetof(dt_timing_switch, extra_weight));
    return add_to(context, cost, offsetof(dt_cost, fired), b.binary(Op::Add, more, b.constant(1)));
}

/// Emits a test whether this firing is one of the few that are timed. If it is, control goes to a new cold (rarely
/// executed) block, to which the following code is appended.
void if_timed(Context& context, ir::BlockId otherwise)
{
    ir::Builder& b = *context.b;
    const int64_t weight = FrameLayout::kThis + context.module.layout.cost_words() + offsetof(dt_timed_hit, weight);
    const ir::BlockId timed = b.block();
    b.branch(Op::Ne, b.load(8, context.frame, weight), b.constant(0), timed, otherwise);
    b.enter(timed);
    b.is_cold();
}

} // namespace

/// Returns whether the program has a timing switch, which lets the tracer turn timing off. It has none with option pin,
/// because the tracer may be absent for a while, and none with option maxcost, which needs every firing. Only the
/// counters of a trace's first object are read, so later objects have none.
static bool may_have_timing_switch(const ModuleLowering& module, const Group& group)
{
    const CompileOptions& options = module.options;
    return options.times_hits() && options.maxcost == 0 && options.pin.empty() && !module.parts.is_later &&
           !group.plan->kind_info().run_by_tracer;
}

bool has_others(const ModuleLowering& module, const Group& group)
{
    const AttachPlan& plan = *group.plan;
    return plan.selector || plan.process_scope != ProcessScope::Any || !plan.conditions.empty() ||
           (!module.options.cgroup.empty() && !plan.is_asynchronous);
}

void lay_out_costs(ModuleLowering& module, std::size_t probes)
{
    Schema& schema = module.out.schema;
    lay_out_by_probe(module, kCosts, DT_SECTION_COSTS, probes + schema.others.size(), sizeof(dt_cost),
                     schema.cost_sets);
    const std::size_t tables = module.program.statements.size() + (probes <= kMaxWithTimes ? probes : 0);
    const auto size = static_cast<uint32_t>(std::max<std::size_t>(tables, 1) * sizeof(dt_cost_times));
    module.data.once(kTimes, [&] {
        return ir::Data{kTimes, DT_SECTION_COST_TIMES, size, 8, std::vector<uint8_t>(size, 0)};
    });
}

void test_timing_switch(Context& context, ir::BlockId on)
{
    ir::Builder& b = *context.b;
    const ir::BlockId off = b.block();
    b.branch(Op::Eq, timing_switch_word(context, *context.timing_switch, offsetof(dt_timing_switch, off)),
             b.constant(DT_ACTIVE), off, on);
    b.enter(off);
}

void turn_on_timing(ir::Builder& b, Value state)
{
    for (uint32_t timing_switch = 0; timing_switch < DT_TIMING_SWITCHES; ++timing_switch)
        b.store(4, state,
                static_cast<int64_t>(offsetof(dt_state, timing_switches) + timing_switch * sizeof(dt_timing_switch)),
                b.constant(0));
}

void count_other(Context& context, uint32_t place, ir::BlockId done)
{
    ir::Builder& b = *context.b;
    if (context.tests_timing_switch)
        if_on(context, *context.timing_switch, done);
    const ir::BlockId by_own = b.block(), whole = b.block();
    b.branch(Op::Ne, timing_switch_word(context, *context.timing_switch, offsetof(dt_timing_switch, extra_weight)),
             b.constant(0), by_own, whole);
    for (const uint32_t timing_switch : {*context.timing_switch, uint32_t{DT_TIMING_SWITCH_OTHER}}) {
        const bool is_own = timing_switch != DT_TIMING_SWITCH_OTHER;
        b.enter(is_own ? by_own : whole);
        if (!is_own)
            if_on(context, timing_switch, done);
        count_weighted(context, counters_of(context, costs_of(context.module), b.constant(place), done), timing_switch);
        b.jump(done);
    }
}

void begin_cost(Context& context, uint32_t first)
{
    if (!context.module.options.times_hits() || !context.is_timed)
        return;
    ir::Builder& b = *context.b;
    const ir::BlockId done = b.block(), timed = b.block();
    if (context.tests_timing_switch)
        if_on(context, *context.timing_switch, done);
    const Value cost = counters_of_probe(context, costs_of(context.module), first, done);
    const Value count = context.timing_switch ? count_weighted(context, cost, *context.timing_switch)
                                              : add_to(context, cost, offsetof(dt_cost, fired), b.constant(1));
    b.branch(Op::ULt, count, b.load(8, cost, offsetof(dt_cost, next)), done, timed);
    b.enter(timed);
    b.is_cold();
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
    if (!module.options.times_hits() || !context.is_timed)
        return;
    ir::Builder& b = *context.b;
    const ir::BlockId done = b.block();
    if_timed(context, done);
    const Value cost = counters_of_probe(context, costs_of(module), group.first_counted, done);
    const GroupStatement& last = group.statements.back();
    context.statement_number_at = last.number_at;
    const Value clause = times_of(context, place_of_clause(context, *last.statement), done);
    Value of_probe = b.constant(0);
    if (module.out.schema.counted.size() <= kMaxWithTimes)
        of_probe = times_of(context,
                            b.binary(Op::Add, index_of_probe(context, group.first_counted),
                                     b.constant(static_cast<int64_t>(module.program.statements.size()))),
                            done);
    // The low word of `readings` is the number of clock reads for a timed firing. The high word is the number of
    // further firings that each counted firing represents.
    Value readings = b.constant(static_cast<int64_t>(3 * group.statements.size()));
    if (context.timing_switch)
        readings = b.binary(
            Op::Or, readings,
            b.binary(Op::Shl,
                     timing_switch_word(context, *context.timing_switch, offsetof(dt_timing_switch, extra_weight)),
                     b.constant(32)));
    b.call_runtime("dt_cost_end", {cost, clause, of_probe, costing(context), readings});
    b.jump(done);
    b.enter(done);
}

namespace {

// Maximum memory of counters if each CPU has its own counters. If they would need more, all CPUs share one set of
// counters and add atomically. Additions are then slower, but the memory is saved.
constexpr uint64_t kMaxByCpu = 16 << 20;

uint32_t data_of(ModuleLowering& module, const char* name)
{
    // the data object exists already, so once() does not call this function
    return module.data.once(name, [] { return ir::Data{}; });
}

} // namespace

void lay_out_by_probe(ModuleLowering& module, const char* name, const char* section, std::size_t places,
                      uint32_t stride, uint32_t& sets)
{
    const uint64_t set = std::max<uint64_t>(places, 1) * stride;
    const uint64_t cpus = std::max<uint32_t>(module.world.target().cpus, 1);
    sets = static_cast<uint32_t>(cpus * set <= kMaxByCpu ? cpus : 1);
    const auto size = static_cast<uint32_t>(std::bit_ceil(sets) * set);
    module.data.once(name, [&] { return ir::Data{name, section, size, 8, std::vector<uint8_t>(size, 0)}; });
}

Value index_of_probe(Context& context, uint32_t first)
{
    ir::Builder& b = *context.b;
    return context.ecb == kNone ? b.constant(first) : b.load(4, context.ecb, offsetof(dt_ecb, counted));
}

Value place_of_clause(Context& context, const Statement& statement)
{
    ir::Builder& b = *context.b;
    return context.statement_number_at == 0 ? b.constant(statement.id)
                                            : b.load(4, context.ecb, context.statement_number_at);
}

namespace {

Value offset_of_place(Context& context, const ByProbe& where, Value place)
{
    ir::Builder& b = *context.b;
    const Value offset = b.binary(Op::Mul, place, b.constant(where.stride));
    if (where.sets <= 1)
        return offset;
    // The CPU number is masked, and the memory has room for every masked number, so no comparison with a bound is
    // needed. If there were a comparison, the verifier would also follow the impossible outcome. At the next access it
    // would know other bounds for the same CPU, and Linux 6.1 has rejected the resulting address.
    const uint32_t whole = context.module.data.at(data_of(context.module, where.name)).size;
    const uint32_t sets = std::bit_ceil(where.sets);
    const Value cpu = b.binary(Op::And, b.call_helper(kGetSmpProcessorId, {}), b.constant(sets - 1));
    return b.binary(Op::Add, offset, b.binary(Op::Mul, cpu, b.constant(whole / sets)));
}

bool is_constant(const Context& context, Value value)
{
    return context.b->instr(value).op == Op::Const;
}

Value at_offset(Context& context, const char* name, Value offset, uint32_t size)
{
    ir::Builder& b = *context.b;
    const uint32_t data = data_of(context.module, name), whole = context.module.data.at(data).size;
    const Value address = b.binary(Op::Add, b.data_addr(data, whole), offset);
    b.instr(address).mem = Mem::MapValue;
    b.instr(address).region = size;
    return address;
}

} // namespace

Value counters_of_probe(Context& context, const ByProbe& where, uint32_t first, ir::BlockId none)
{
    return counters_of(context, where, index_of_probe(context, first), none);
}

Value counters_of(Context& context, const ByProbe& where, Value place, ir::BlockId none)
{
    const Value offset = offset_of_place(context, where, place);
    return is_constant(context, place) ? at_offset(context, where.name, offset, where.stride)
                                       : address_in_data(context, where.name, offset, where.stride, none);
}

Value word_of_place(Context& context, const ByProbe& where, Value place, Value word, ir::BlockId none)
{
    const Value offset = context.b->binary(Op::Add, offset_of_place(context, where, place), word);
    return is_constant(context, place) ? at_offset(context, where.name, offset, 8)
                                       : address_in_data(context, where.name, offset, 8, none);
}

Value address_in_data(Context& context, const char* name, Value offset, uint32_t size, ir::BlockId none)
{
    ir::Builder& b = *context.b;
    const uint32_t whole = context.module.data.at(data_of(context.module, name)).size;
    const ir::BlockId there = b.block();
    // The comparison never fails; the verifier requires it.
    b.branch(Op::ULt, offset, b.constant(whole - size + 1), there, none);
    b.enter(there);
    return at_offset(context, name, offset, size);
}

namespace {

/// Assigns a timing switch to each program; if there are too many programs, several share one.
void assign_timing_switches(ModuleLowering& module, std::vector<Group>& groups)
{
    Schema& schema = module.out.schema;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Group& group = groups[i];
        if (!may_have_timing_switch(module, group))
            continue;
        group.timing_switch = static_cast<uint32_t>(i) % DT_TIMING_SWITCH_OTHER;
        for (std::size_t probe = 0; probe < group.plan->probes.size(); ++probe)
            schema.counted[group.first_counted + probe].timing_switch = group.timing_switch;
        if (!has_others(module, group))
            continue;
        group.others = static_cast<uint32_t>(schema.counted.size() + schema.others.size());
        schema.others.push_back({group.plan->hook_kind(), *group.timing_switch});
    }
    module.has_timing_switches =
        std::any_of(groups.begin(), groups.end(), [](const Group& group) { return group.timing_switch; });
}

} // namespace

void place_counters(ModuleLowering& module, std::vector<Group>& groups)
{
    const bool firings = module.options.counts_hits(), cost = module.options.times_hits();
    if (!firings && !cost)
        return;
    std::vector<CountedProbe>& counted = module.out.schema.counted;
    for (Group& group : groups) {
        group.first_counted = static_cast<uint32_t>(counted.size());
        for (const PlannedProbe& planned : group.plan->probes)
            counted.push_back({planned.probe->id, group.statements_of(*planned.probe), group.plan->hook_kind()});
    }
    assign_timing_switches(module, groups);
    if (firings)
        lay_out_hits(module, counted.size());
    if (cost)
        lay_out_costs(module, counted.size());
    if (module.options.maxcost != 0) {
        lay_out_sampling(module, counted.size());
        find_pairs(module, groups);
        store_roles(module, groups);
    }
}

} // namespace dt::lower
