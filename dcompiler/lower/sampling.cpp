// Implements the sampling of -x maxcost. A skipped firing costs the lookup of its counters, an addition and a
// comparison.
#include "dcompiler/lower/sampling.hpp"

#include <algorithm>
#include <cstddef>

#include "dcompiler/lower/by_probe.hpp"
#include "dcompiler/lower/sampled_pairs.hpp"
#include "dcompiler/sema/builtins.hpp"

namespace dt::lower {

using ir::kNone;
using ir::Op;
using ir::Value;

namespace {

constexpr const char* kSampling = "dt_sampling";
constexpr int kScaleBits = 8;
static_assert(DT_SAMPLING_ONE == 1 << kScaleBits);

bool stores(const TExpr* expr)
{
    return expr && ((expr->variable && expr->variable->scope != Scope::This) ||
                    std::any_of(expr->kids.begin(), expr->kids.end(), stores));
}

bool stores(const TStmt* statement)
{
    const auto any = [](const auto& list) {
        return std::any_of(list.begin(), list.end(), [](const auto* each) { return stores(each); });
    };
    return stores(statement->expr) || any(statement->args) || any(statement->keys) || any(statement->then) ||
           any(statement->otherwise) || (statement->action && statement->action->has(kSpeculation));
}

/// Returns whether the statement may be skipped, with other firings as its representatives. It must only record and
/// aggregate.
bool may_be_left_out(const TStmt* statement)
{
    const auto all = [](const auto& list) { return std::all_of(list.begin(), list.end(), may_be_left_out); };
    const Action* const action = statement->action;
    if (action && (!action->has(kRecords) || action->has(kDestructive) || action->has(kExits) ||
                   action->has(kSetsOption) || !statement->aggregations.empty() || action->prototype == "void ()"))
        return false;
    return all(statement->then) && all(statement->otherwise);
}

/// Returns whether CPUs share counters. No CPU then knows the number of firings since its last executed one.
bool share_counters(const ModuleLowering& module)
{
    return module.out.schema.sampling_sets < module.world.target().cpus;
}

/// Yields the weight of a firing: all firings since the last executed one, multiplied for the time in which the program
/// was off.
Value weigh(Context& context, Value sampling, Value seen)
{
    ir::Builder& b = *context.b;
    const auto member = [&](std::size_t offset) { return b.load(8, sampling, static_cast<int64_t>(offset)); };
    const auto set = [&](std::size_t offset, Value value) {
        b.store(8, sampling, static_cast<int64_t>(offset), value);
    };
    const Value since = b.binary(Op::Sub, seen, member(offsetof(dt_sampling, taken)));
    set(offsetof(dt_sampling, taken), seen);
    const Value scale = member(offsetof(dt_sampling, scale));
    const ir::BlockId plain = b.block(), scaled = b.block(), weighed = b.block(), chooses = b.block(), done = b.block();
    b.branch(Op::Eq, scale, b.constant(0), plain, scaled);
    b.enter(plain);
    b.jump(weighed);
    b.enter(scaled);
    // Remainder: without it, one firing in a window of half of the time would count as one.
    const int64_t rest_at = offsetof(dt_sampling, rest);
    const Value rest = b.load(4, sampling, rest_at);
    const Value parts = b.binary(Op::Add, b.binary(Op::Mul, since, scale), rest);
    b.store(4, sampling, rest_at, b.binary(Op::And, parts, b.constant(DT_SAMPLING_ONE - 1)));
    const Value more = b.binary(Op::LShr, parts, b.constant(kScaleBits));
    b.jump(weighed);
    b.enter(weighed);
    const Value weight = b.phi({since, more});
    set(offsetof(dt_sampling, stood), b.binary(Op::Add, member(offsetof(dt_sampling, stood)), weight));
    b.branch(Op::ULt, b.constant(1), member(offsetof(dt_sampling, every)), chooses, done);
    b.enter(chooses);
    b.is_seldom();
    b.call_runtime("dt_sample_next", {sampling});
    b.jump(done);
    b.enter(done);
    return weight;
}

/// Decides about firings that do not continue a pair. A skipped beginning also discards the thread's previous,
/// unfinished pair.
Value take_some(Context& context, const Group& group, Value sampling, Value seen, ir::BlockId passed_by)
{
    ir::Builder& b = *context.b;
    const ir::BlockId taken = b.block(), left_out = context.begins_pairs ? b.block() : passed_by;
    b.branch(Op::ULt, seen, b.load(8, sampling, offsetof(dt_sampling, take)), left_out, taken);
    if (context.begins_pairs) {
        b.enter(left_out);
        ask_role(context, group, sampling, PairRole::Begins, passed_by);
        end_pair(context, sampling);
        b.jump(passed_by);
    }
    b.enter(taken);
    const Value weight = weigh(context, sampling, seen);
    return context.begins_pairs ? with_window(context, sampling, weight) : weight;
}

} // namespace

void lay_out_sampling(ModuleLowering& module, std::size_t probes)
{
    lay_out_by_probe(module, kSampling, DT_SECTION_SAMPLING, probes, sizeof(dt_sampling),
                     module.out.schema.sampling_sets);
}

void note_roles(ModuleLowering& module, const std::vector<Group>& groups)
{
    Schema& schema = module.out.schema;
    std::vector<uint8_t>& counters = module.data.at(module.data.once(kSampling, [] { return ir::Data{}; })).bytes;
    for (const Group& group : groups)
        for (std::size_t i = 0; i < group.roles.size(); ++i) {
            const auto role = static_cast<uint8_t>(group.roles[i]), family = static_cast<uint8_t>(group.families[i]);
            const std::size_t place = group.first_counted + i;
            schema.counted[place].continues = group.roles[i] == PairRole::Continues;
            for (uint32_t set = 0; set < schema.sampling_sets; ++set) {
                const std::size_t at = (set * schema.counted.size() + place) * sizeof(dt_sampling);
                counters[at + offsetof(dt_sampling, role)] = role; // the low bytes
                counters[at + offsetof(dt_sampling, window)] = family;
            }
        }
}

/// Returns whether firings may be skipped. This excludes programs that interrupt themselves on a CPU or share counters
/// between CPUs, because their weights are unknown. It also excludes programs whose beginning and end belong together.
bool may_stand_for_others(const ModuleLowering& module, const Group& group)
{
    const ProgramKindInfo& kind = group.plan->kind_info();
    if (share_counters(module) || kind.unguarded || kind.both_ends || group.plan->beginning || group.plan->is_kept ||
        group.plan->kind == ProgramKind::TestRun)
        return false;
    return std::all_of(group.statements.begin(), group.statements.end(), [](const GroupStatement& use) {
        const Statement& statement = *use.statement;
        return !statement.destructive && !statement.overrides &&
               std::all_of(statement.body.begin(), statement.body.end(), may_be_left_out);
    });
}

bool keeps_state(const Group& group)
{
    return std::any_of(group.statements.begin(), group.statements.end(), [](const GroupStatement& use) {
        const Statement& statement = *use.statement;
        return statement.speculates || stores(statement.predicate) ||
               std::any_of(statement.body.begin(), statement.body.end(),
                           [](const TStmt* each) { return stores(each); });
    });
}

Value pass_by_some(Context& context, const Group& group, ir::BlockId passed_by)
{
    ModuleLowering& module = context.module;
    if (module.options.maxcost == 0)
        return kNone;
    ir::Builder& b = *context.b;
    const uint32_t sets = module.out.schema.sampling_sets;
    const Value sampling =
        of_firing_probe(context, {kSampling, sizeof(dt_sampling), sets}, group.first_counted, passed_by);
    const int64_t seen_at = offsetof(dt_sampling, seen);
    context.is_weighted = may_stand_for_others(module, group) && (group.has_pairs() || !keeps_state(group));
    context.begins_pairs = group.has_role(PairRole::Begins);
    if (share_counters(module) || group.plan->kind_info().unguarded) {
        b.atomic_add(8, sampling, seen_at, b.constant(1));
        return kNone;
    }
    const Value seen = b.binary(Op::Add, b.load(8, sampling, seen_at), b.constant(1));
    b.store(8, sampling, seen_at, seen);
    if (!context.is_weighted)
        return kNone;
    if (!group.has_role(PairRole::Continues))
        return take_some(context, group, sampling, seen, passed_by);
    if (!group.has_role(PairRole::Begins) && !group.has_role(PairRole::None))
        return go_on_with_pair(context, sampling, passed_by);
    const ir::BlockId others = b.block(), decided = b.block();
    ask_role(context, group, sampling, PairRole::Continues, others);
    const Value begun = go_on_with_pair(context, sampling, passed_by);
    b.jump(decided);
    b.enter(others);
    const Value taken = take_some(context, group, sampling, seen, passed_by);
    b.jump(decided);
    b.enter(decided);
    return b.phi({begun, taken});
}

void keep_weight(Context& context, Value weight)
{
    if (weight != kNone)
        context.b->store(8, context.frame, FrameLayout::kThis + context.module.layout.weight_word(), weight);
}

Value word_of_weight(Context& context)
{
    return context.b->load(8, context.frame, FrameLayout::kThis + context.module.layout.weight_word());
}

Value weight_of_firing(Context& context)
{
    return weight_in(context, word_of_weight(context));
}

} // namespace dt::lower
