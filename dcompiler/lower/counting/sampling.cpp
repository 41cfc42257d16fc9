// Implements the sampling of -x maxcost: programs skip some firings. A skipped firing still takes the lookup of its
// counters, an addition and a comparison.
#include "dcompiler/lower/counting/sampling.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

#include "dcompiler/lower/counting/counters.hpp"
#include "dcompiler/sema/program/builtins.hpp"

namespace dt::lower {

namespace {

constexpr const char* kSampling = "dt_sampling";
constexpr int kScaleBits = 8;
static_assert(DT_SAMPLING_SCALE_ONE == 1 << kScaleBits);

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

/// Returns whether sampling may skip the statement, so that other firings also count for it. This requires that the
/// statement only records and aggregates.
bool may_be_sampled_out(const TStmt* statement)
{
    const auto all = [](const auto& list) { return std::all_of(list.begin(), list.end(), may_be_sampled_out); };
    const Action* const action = statement->action;
    if (action && (!action->has(kRecords) || action->has(kDestructive) || action->has(kExits) ||
                   action->has(kSetsOption) || !statement->aggregations.empty() || action->prototype == "void ()"))
        return false;
    return all(statement->then) && all(statement->otherwise);
}

/// Returns whether CPUs share counters. Then a CPU does not know how many firings have occurred since the last one that
/// it executed.
bool share_counters(const ModuleLowering& module)
{
    return module.out.schema.sampling_sets < module.world.target().cpus;
}

/// Yields the weight of a firing, which is the number of firings that it represents. This is the number of firings
/// since the last executed one, times a scale for the time in which the program was detached.
Value weigh(Context& context, Value sampling, Value seen)
{
    ir::Builder& b = *context.b;
    const auto member = [&](std::size_t offset) { return b.load(8, sampling, static_cast<int64_t>(offset)); };
    const auto set = [&](std::size_t offset, Value value) {
        b.store(8, sampling, static_cast<int64_t>(offset), value);
    };
    const Value since = b.binary(Op::Sub, seen, member(offsetof(dt_sampling, last_sampled)));
    set(offsetof(dt_sampling, last_sampled), seen);
    const Value scale = member(offsetof(dt_sampling, scale));
    const ir::BlockId plain = b.block(), scaled = b.block(), weighed = b.block(), chooses = b.block(), done = b.block();
    b.branch(Op::Eq, scale, b.constant(0), plain, scaled);
    b.enter(plain);
    b.jump(weighed);
    b.enter(scaled);
    // The weight must be a whole number. Stores its fraction and adds it to the weight of the next firing. Otherwise a
    // scale of 1.5 would have no effect on single firings.
    const int64_t fraction_at = offsetof(dt_sampling, weight_fraction);
    const Value rest = b.load(4, sampling, fraction_at);
    const Value parts = b.binary(Op::Add, b.binary(Op::Mul, since, scale), rest);
    b.store(4, sampling, fraction_at, b.binary(Op::And, parts, b.constant(DT_SAMPLING_SCALE_ONE - 1)));
    const Value more = b.binary(Op::LShr, parts, b.constant(kScaleBits));
    b.jump(weighed);
    b.enter(weighed);
    const Value weight = b.phi({since, more});
    set(offsetof(dt_sampling, total_weight), b.binary(Op::Add, member(offsetof(dt_sampling, total_weight)), weight));
    b.branch(Op::ULt, b.constant(1), member(offsetof(dt_sampling, period)), chooses, done);
    b.enter(chooses);
    b.is_cold();
    b.call_runtime("dt_sample_next", {sampling});
    b.jump(done);
    b.enter(done);
    return weight;
}

/// Emits the sampling of firings, except those that continue an entry/return pair. If sampling skips the beginning of a
/// pair, the thread's previous, unfinished pair is discarded too.
Value take_some(Context& context, const Group& group, Value sampling, Value seen, ir::BlockId sampled_out)
{
    ir::Builder& b = *context.b;
    const ir::BlockId taken = b.block(), left_out = context.begins_pairs ? b.block() : sampled_out;
    b.branch(Op::ULt, seen, b.load(8, sampling, offsetof(dt_sampling, next_sampled)), left_out, taken);
    if (context.begins_pairs) {
        b.enter(left_out);
        check_role(context, group, sampling, PairRole::Begins, sampled_out);
        discard_pair(context, sampling);
        b.jump(sampled_out);
    }
    b.enter(taken);
    const Value weight = weigh(context, sampling, seen);
    return context.begins_pairs ? pack_weight(context, sampling, weight) : weight;
}

} // namespace

void lay_out_sampling(ModuleLowering& module, std::size_t probes)
{
    lay_out_by_probe(module, kSampling, DT_SECTION_SAMPLING, probes, sizeof(dt_sampling),
                     module.out.schema.sampling_sets);
}

void store_roles(ModuleLowering& module, const std::vector<Group>& groups)
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
                // stores only the low byte of each member; the other bytes are already 0
                counters[at + offsetof(dt_sampling, role)] = role;
                counters[at + offsetof(dt_sampling, window)] = family;
            }
        }
}

/// Returns whether sampling may skip firings of the program. It may not if the weights would be unknown: if the program
/// may interrupt itself on a CPU, or if CPUs share counters. It also may not if the program runs at the start and the
/// end of an activity.
static bool may_be_weighted(const ModuleLowering& module, const Group& group)
{
    const ProgramKindInfo& kind = group.plan->kind_info();
    if (share_counters(module) || interrupts_itself(module, *group.plan) || kind.entry_and_return ||
        group.plan->start_hook || group.plan->counts_runs || kind.run_by_tracer)
        return false;
    return std::all_of(group.statements.begin(), group.statements.end(), [](const GroupStatement& use) {
        const Statement& statement = *use.statement;
        return !statement.destructive && !statement.overrides &&
               std::all_of(statement.body.begin(), statement.body.end(), may_be_sampled_out);
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

Value sample_out(Context& context, const Group& group, ir::BlockId sampled_out)
{
    ModuleLowering& module = context.module;
    if (module.options.maxcost == 0)
        return kNone;
    ir::Builder& b = *context.b;
    const uint32_t sets = module.out.schema.sampling_sets;
    const Value sampling =
        counters_of_probe(context, {kSampling, sizeof(dt_sampling), sets}, group.first_counted, sampled_out);
    const int64_t seen_at = offsetof(dt_sampling, seen);
    context.is_weighted = may_be_weighted(module, group) && (group.has_pairs() || !keeps_state(group));
    context.begins_pairs = group.has_role(PairRole::Begins);
    if (share_counters(module) || interrupts_itself(module, *group.plan)) {
        b.atomic_add(8, sampling, seen_at, b.constant(1));
        return kNone;
    }
    const Value seen = b.binary(Op::Add, b.load(8, sampling, seen_at), b.constant(1));
    b.store(8, sampling, seen_at, seen);
    if (!context.is_weighted)
        return kNone;
    if (!group.has_role(PairRole::Continues))
        return take_some(context, group, sampling, seen, sampled_out);
    if (!group.has_role(PairRole::Begins) && !group.has_role(PairRole::None))
        return continue_pair(context, sampling, sampled_out);
    const ir::BlockId others = b.block(), decided = b.block();
    check_role(context, group, sampling, PairRole::Continues, others);
    const Value begun = continue_pair(context, sampling, sampled_out);
    b.jump(decided);
    b.enter(others);
    const Value taken = take_some(context, group, sampling, seen, sampled_out);
    b.jump(decided);
    b.enter(decided);
    return b.phi({begun, taken});
}

void store_weight(Context& context, Value weight)
{
    if (weight != kNone)
        context.b->store(8, context.frame, FrameLayout::kThis + context.module.layout.weight_word(), weight);
}

Value packed_weight(Context& context)
{
    return context.b->load(8, context.frame, FrameLayout::kThis + context.module.layout.weight_word());
}

Value weight_of_firing(Context& context)
{
    return unpack_weight(context, packed_weight(context));
}

namespace {

constexpr uint64_t kWeightBits = 32;
constexpr int64_t kWeightMask = 0xffffffff;
constexpr int64_t kMarkShift = 3; // log2 of 8, the size of a mark in bytes

/// Variables that the clauses of a program use.
struct Uses {
    /// thread variables that the probe's clauses read, and those that they store
    std::set<const Variable*> reads, stores;
    /// Whether the clauses use state that outlives a firing but cannot store the firing's weight: global variables,
    /// arrays, structures or speculations.
    bool depends = false;

    void look_at(const TExpr* expr, bool stored = false)
    {
        if (!expr)
            return;
        if (const Variable* const variable = expr->variable; variable && variable->scope != Scope::This) {
            depends |= variable->scope != Scope::Self || !variable->keys.empty() || !variable->type ||
                       !(variable->type->is_scalar() || variable->type->is_string());
            (stored ? stores : reads).insert(variable);
        }
        const bool assigns = expr->op == TOp::Assign;
        for (std::size_t i = 0; i < expr->kids.size(); ++i) {
            const bool is_target = assigns && i == 0 && expr->kids[0]->op == TOp::Variable;
            look_at(expr->kids[i], is_target);
            if (is_target && expr->compound != TOp::Integer)
                look_at(expr->kids[i]);
        }
    }

    void look_at(const TStmt* statement)
    {
        look_at(statement->expr);
        for (const auto* const list : {&statement->args, &statement->keys})
            for (const TExpr* const each : *list)
                look_at(each);
        for (const auto* const list : {&statement->then, &statement->otherwise})
            for (const TStmt* const each : *list)
                look_at(each);
        depends |= statement->action && statement->action->has(kSpeculation);
    }
};

/// Returns whether the predicate reads thread variables. A clause with such a predicate does nothing unless the thread
/// has begun an entry/return pair.
bool needs_pair(const Statement& statement)
{
    Uses uses;
    uses.look_at(statement.predicate);
    return !uses.reads.empty();
}

/// Variables that each statement of a group uses, and variables that all statements of a probe together use.
class GroupUses {
public:
    explicit GroupUses(const Group& group) : group_(group), uses_(group.statements.size())
    {
        for (std::size_t i = 0; i < uses_.size(); ++i) {
            uses_[i].look_at(group.statements[i].statement->predicate);
            for (const TStmt* const each : group.statements[i].statement->body)
                uses_[i].look_at(each);
        }
    }

    bool has_variables() const
    {
        return std::any_of(uses_.begin(), uses_.end(),
                           [](const Uses& each) { return !each.reads.empty() || !each.stores.empty(); });
    }
    bool depends() const
    {
        return std::any_of(uses_.begin(), uses_.end(), [](const Uses& each) { return each.depends; });
    }
    std::set<const Variable*> variables_of(const Probe* probe) const
    {
        std::set<const Variable*> all;
        for (const std::size_t i : statements_of(probe))
            for (const auto* const list : {&uses_[i].reads, &uses_[i].stores})
                all.insert(list->begin(), list->end());
        return all;
    }
    /// Returns whether a firing of the probe begins or continues an entry/return pair of a thread. Returns nothing if
    /// the probe reads thread variables but some of its clauses also act in threads that have not begun a pair.
    std::optional<PairRole> role_of(const Probe* probe) const
    {
        const std::vector<std::size_t> statements = statements_of(probe);
        const auto any = [&](std::set<const Variable*> Uses::*what) {
            return std::any_of(statements.begin(), statements.end(),
                               [&](std::size_t i) { return !(uses_[i].*what).empty(); });
        };
        if (!any(&Uses::reads))
            return any(&Uses::stores) ? PairRole::Begins : PairRole::None;
        const bool all_ask = std::all_of(statements.begin(), statements.end(),
                                         [&](std::size_t i) { return needs_pair(*group_.statements[i].statement); });
        return all_ask ? std::optional(PairRole::Continues) : std::nullopt;
    }

private:
    std::vector<std::size_t> statements_of(const Probe* probe) const
    {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < uses_.size(); ++i)
            if (std::binary_search(group_.statements[i].probes.begin(), group_.statements[i].probes.end(), probe))
                found.push_back(i);
        return found;
    }

    const Group& group_;
    std::vector<Uses> uses_;
};

/// Returns, for each probe's set of thread variables, the index of its family. Sets with a common variable belong to
/// the same family.
std::vector<uint32_t> families_of(const std::vector<std::set<const Variable*>>& uses)
{
    std::vector<uint32_t> families(uses.size());
    std::map<const Variable*, uint32_t> of_variables;
    for (uint32_t i = 0; i < uses.size(); ++i) {
        families[i] = i;
        for (const Variable* const variable : uses[i]) {
            const uint32_t other = families[of_variables.try_emplace(variable, i).first->second];
            std::replace(families.begin(), families.end(), other, i);
        }
    }
    std::map<uint32_t, uint32_t> numbers;
    for (uint32_t& family : families)
        family = numbers.try_emplace(family, static_cast<uint32_t>(numbers.size())).first->second;
    return families;
}

/// Yields the address of the current thread's self-> variables, or 0 if it has none.
Value variables_of_thread(Context& context)
{
    ir::Builder& b = *context.b;
    const Value task = b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf);
    ModuleLowering& module = context.module;
    return module.functions.of_thread(b, module.maps.self(), task, module.layout.self_size(), false);
}

/// Yields the address of the mark for a family of thread variables. The mark is a word with the weight and the sampling
/// window of the firing that began the pair. `storage` is the address of the thread variables; the low bits of `number`
/// are the index of the family.
Value mark_of(Context& context, Value storage, Value number)
{
    ir::Builder& b = *context.b;
    const Layout& layout = context.module.layout;
    Value offset = b.constant(layout.self_mark());
    if (layout.self_marks() > 1)
        offset = b.binary(
            Op::Add, offset,
            b.binary(Op::Shl, b.binary(Op::And, number, b.constant(layout.self_marks() - 1)), b.constant(kMarkShift)));
    const Value mark = b.binary(Op::Add, storage, offset);
    b.instr(mark).mem = Mem::MapValue;
    b.instr(mark).region = 8;
    return mark;
}

} // namespace

void find_pairs(const ModuleLowering& module, std::vector<Group>& groups)
{
    if (module.layout.self_is_hash() || module.layout.self_is_shared())
        return;
    struct Pair {
        Group* group;
        std::size_t probe;
    };
    std::map<Group*, std::vector<PairRole>> roles;
    std::vector<Pair> pairs; // all probes whose clauses use thread variables, and the groups of these probes
    std::vector<std::set<const Variable*>> variables;
    std::set<PairRole> seen;
    for (Group& group : groups) {
        const GroupUses uses(group);
        if (!uses.has_variables())
            continue;
        if (uses.depends() || !may_be_weighted(module, group))
            return;
        for (const PlannedProbe& planned : group.plan->probes) {
            const std::optional<PairRole> role = uses.role_of(planned.probe);
            if (!role)
                return;
            roles[&group].push_back(*role);
            seen.insert(*role);
            if (*role == PairRole::None)
                continue;
            pairs.push_back({&group, roles[&group].size() - 1});
            variables.push_back(uses.variables_of(planned.probe));
        }
    }
    const std::vector<uint32_t> families = families_of(variables);
    if (!seen.contains(PairRole::Begins) || !seen.contains(PairRole::Continues) ||
        *std::max_element(families.begin(), families.end()) >= module.layout.self_marks())
        return;
    for (auto& [group, of_probes] : roles) {
        group->roles = std::move(of_probes);
        group->families.assign(group->roles.size(), 0);
    }
    for (std::size_t i = 0; i < pairs.size(); ++i)
        pairs[i].group->families[pairs[i].probe] = families[i];
}

void check_role(Context& context, const Group& group, Value sampling, PairRole role, ir::BlockId other)
{
    ir::Builder& b = *context.b;
    if (std::all_of(group.roles.begin(), group.roles.end(), [role](PairRole each) { return each == role; }))
        return;
    const ir::BlockId here = b.block();
    const Value is = b.load(4, sampling, offsetof(dt_sampling, role));
    b.branch(Op::Eq, is, b.constant(static_cast<int64_t>(role)), here, other);
    b.enter(here);
}

void discard_pair(Context& context, Value sampling)
{
    ir::Builder& b = *context.b;
    const Value storage = variables_of_thread(context);
    b.if_then(Op::Ne, storage, b.constant(0), [&] {
        const Value window = b.load(8, sampling, offsetof(dt_sampling, window));
        b.store(8, mark_of(context, b.not_null(storage), window), 0, b.constant(0));
    });
}

Value continue_pair(Context& context, Value sampling, ir::BlockId sampled_out)
{
    ir::Builder& b = *context.b;
    const Value storage = variables_of_thread(context);
    const ir::BlockId there = b.block(), marked = b.block(), taken = b.block();
    b.branch(Op::Ne, storage, b.constant(0), there, sampled_out);
    b.enter(there);
    const Value window = b.load(8, sampling, offsetof(dt_sampling, window));
    const Value word = b.load(8, mark_of(context, b.not_null(storage), window), 0);
    b.branch(Op::Ne, word, b.constant(0), marked, sampled_out);
    b.enter(marked);
    b.branch(Op::Eq, b.binary(Op::LShr, word, b.constant(kWeightBits)), window, taken, sampled_out);
    b.enter(taken);
    const int64_t total_weight = offsetof(dt_sampling, total_weight);
    const Value weight = unpack_weight(context, word);
    b.store(8, sampling, total_weight, b.binary(Op::Add, b.load(8, sampling, total_weight), weight));
    return word;
}

Value pack_weight(Context& context, Value sampling, Value weight)
{
    ir::Builder& b = *context.b;
    const Value window = b.load(8, sampling, offsetof(dt_sampling, window));
    return b.binary(Op::Or, b.binary(Op::Shl, window, b.constant(kWeightBits)), weight);
}

Value unpack_weight(Context& context, Value word)
{
    return context.b->binary(Op::And, word, context.b->constant(kWeightMask));
}

void mark_pair(Context& context, Value storage)
{
    ir::Builder& b = *context.b;
    const Value word = packed_weight(context);
    const bool is_one = context.module.layout.self_marks() == 1;
    const Value window = is_one ? kNone : b.binary(Op::LShr, word, b.constant(kWeightBits));
    b.store(8, mark_of(context, storage, window), 0, word);
}

} // namespace dt::lower
