#include "dcompiler/lower/sampled_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

#include "dcompiler/lower/sampling.hpp"

namespace dt::lower {

using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

constexpr uint64_t kWeightBits = 32;
constexpr int64_t kWeightMask = 0xffffffff;
constexpr int64_t kMarkShift = 3; // log2 of the 8 bytes of each mark

/// Variables that the clauses of a program use.
struct Uses {
    std::set<const Variable*> reads, stores; ///< variables of threads
    bool depends = false;                    ///< uses other state that is kept between firings

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

/// Returns whether the predicate reads thread variables, so that the clause does nothing for a thread without a begun
/// pair.
bool asks_for_pair(const Statement& statement)
{
    Uses uses;
    uses.look_at(statement.predicate);
    return !uses.reads.empty();
}

/// Uses of variables by each statement of a group, and by all statements of a probe.
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
    /// Returns the role of a probe. Returns nothing if the probe's clauses read thread variables but some of them act
    /// without a begun pair.
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
                                         [&](std::size_t i) { return asks_for_pair(*group_.statements[i].statement); });
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

/// Returns the family number for each set of variables. Sets with a common variable have the same family.
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

/// Yields the thread's variables, or 0.
Value variables_of_thread(Context& context)
{
    ir::Builder& b = *context.b;
    const Value task = b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf);
    return b.call_helper(kTaskStorageGet, {b.map_ref(context.module.maps.self()), task, b.constant(0), b.constant(0)},
                         Mem::MapOrNull, context.module.layout.self_size());
}

/// Yields the address of a family's mark in the thread's variables at `storage`. The low bits of `number` are the
/// family.
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
    std::vector<Pair> pairs; // probes with variables
    std::vector<std::set<const Variable*>> variables;
    std::set<PairRole> seen;
    for (Group& group : groups) {
        const GroupUses uses(group);
        if (!uses.has_variables())
            continue;
        if (uses.depends() || !may_stand_for_others(module, group))
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

void ask_role(Context& context, const Group& group, Value sampling, PairRole role, ir::BlockId other)
{
    ir::Builder& b = *context.b;
    if (std::all_of(group.roles.begin(), group.roles.end(), [role](PairRole each) { return each == role; }))
        return;
    const ir::BlockId here = b.block();
    const Value is = b.load(4, sampling, offsetof(dt_sampling, role));
    b.branch(Op::Eq, is, b.constant(static_cast<int64_t>(role)), here, other);
    b.enter(here);
}

void end_pair(Context& context, Value sampling)
{
    ir::Builder& b = *context.b;
    const Value storage = variables_of_thread(context);
    b.if_then(Op::Ne, storage, b.constant(0), [&] {
        const Value window = b.load(8, sampling, offsetof(dt_sampling, window));
        b.store(8, mark_of(context, b.not_null(storage), window), 0, b.constant(0));
    });
}

Value go_on_with_pair(Context& context, Value sampling, ir::BlockId passed_by)
{
    ir::Builder& b = *context.b;
    const Value storage = variables_of_thread(context);
    const ir::BlockId there = b.block(), marked = b.block(), taken = b.block();
    b.branch(Op::Ne, storage, b.constant(0), there, passed_by);
    b.enter(there);
    const Value window = b.load(8, sampling, offsetof(dt_sampling, window));
    const Value word = b.load(8, mark_of(context, b.not_null(storage), window), 0);
    b.branch(Op::Ne, word, b.constant(0), marked, passed_by);
    b.enter(marked);
    b.branch(Op::Eq, b.binary(Op::LShr, word, b.constant(kWeightBits)), window, taken, passed_by);
    b.enter(taken);
    const int64_t stood = offsetof(dt_sampling, stood);
    const Value weight = weight_in(context, word);
    b.store(8, sampling, stood, b.binary(Op::Add, b.load(8, sampling, stood), weight));
    return word;
}

Value with_window(Context& context, Value sampling, Value weight)
{
    ir::Builder& b = *context.b;
    const Value window = b.load(8, sampling, offsetof(dt_sampling, window));
    return b.binary(Op::Or, b.binary(Op::Shl, window, b.constant(kWeightBits)), weight);
}

Value weight_in(Context& context, Value word)
{
    return context.b->binary(Op::And, word, context.b->constant(kWeightMask));
}

void mark_pair(Context& context, Value storage)
{
    ir::Builder& b = *context.b;
    const Value word = word_of_weight(context);
    const bool is_one = context.module.layout.self_marks() == 1;
    const Value window = is_one ? kNone : b.binary(Op::LShr, word, b.constant(kWeightBits));
    b.store(8, mark_of(context, storage, window), 0, word);
}

} // namespace dt::lower
