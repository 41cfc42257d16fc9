#include "dcompiler/lower/sampled_pairs.hpp"

#include <algorithm>
#include <cstddef>
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

/// What the clauses of a program do to variables.
struct Uses {
    std::set<const Variable*> reads, stores; ///< of threads
    bool depends = false;                    ///< on anything else that is kept from firing to firing

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

/// Whether it does nothing where the thread has begun nothing.
bool asks_for_pair(const Statement& statement)
{
    Uses uses;
    uses.look_at(statement.predicate);
    return !uses.reads.empty();
}

PairRole role_of(const Group& group, const Uses& uses)
{
    if (uses.depends)
        return PairRole::None;
    if (uses.reads.empty())
        return PairRole::Begins;
    const bool all_ask = std::all_of(group.statements.begin(), group.statements.end(),
                                     [](const GroupStatement& use) { return asks_for_pair(*use.statement); });
    return all_ask ? PairRole::Continues : PairRole::None;
}

/// Whether all have to do with one another.
bool is_one_family(std::vector<std::set<const Variable*>> uses)
{
    std::set<const Variable*> family = uses.front();
    for (bool grows = true; grows;) {
        grows = false;
        for (auto& each : uses) {
            const bool meets = std::any_of(each.begin(), each.end(), [&](auto* v) { return family.contains(v); });
            if (!meets || std::includes(family.begin(), family.end(), each.begin(), each.end()))
                continue;
            family.insert(each.begin(), each.end());
            grows = true;
        }
    }
    return std::all_of(uses.begin(), uses.end(), [&](const auto& each) { return family.contains(*each.begin()); });
}

/// The thread's variables, or 0.
Value variables_of_thread(Context& context)
{
    ir::Builder& b = *context.b;
    const Value task = b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf);
    return b.call_helper(kTaskStorageGet, {b.map_ref(context.module.maps.self()), task, b.constant(0), b.constant(0)},
                         Mem::MapOrNull, context.module.layout.self_size());
}

} // namespace

void find_pairs(const ModuleLowering& module, std::vector<Group>& groups)
{
    if (module.layout.self_is_hash())
        return;
    std::vector<std::pair<Group*, PairRole>> roles;
    std::vector<std::set<const Variable*>> variables;
    for (Group& group : groups) {
        Uses uses;
        for (const GroupStatement& use : group.statements) {
            uses.look_at(use.statement->predicate);
            for (const TStmt* const each : use.statement->body)
                uses.look_at(each);
        }
        if (uses.reads.empty() && uses.stores.empty())
            continue;
        const PairRole role = role_of(group, uses);
        if (role == PairRole::None || !may_stand_for_others(module, group))
            return;
        roles.emplace_back(&group, role);
        uses.reads.merge(uses.stores);
        variables.push_back(std::move(uses.reads));
    }
    const auto begins = [](const auto& each) { return each.second == PairRole::Begins; };
    if (std::none_of(roles.begin(), roles.end(), begins) || std::all_of(roles.begin(), roles.end(), begins) ||
        !is_one_family(variables))
        return;
    for (const auto& [group, role] : roles)
        group->pair = role;
}

void end_pair(Context& context)
{
    ir::Builder& b = *context.b;
    const Value storage = variables_of_thread(context);
    b.if_then(Op::Ne, storage, b.constant(0),
              [&] { b.store(8, b.not_null(storage), context.module.layout.self_mark(), b.constant(0)); });
}

Value go_on_with_pair(Context& context, Value sampling, ir::BlockId passed_by)
{
    ir::Builder& b = *context.b;
    const Value storage = variables_of_thread(context);
    const ir::BlockId there = b.block(), marked = b.block(), taken = b.block();
    b.branch(Op::Ne, storage, b.constant(0), there, passed_by);
    b.enter(there);
    const Value word = b.load(8, b.not_null(storage), context.module.layout.self_mark());
    b.branch(Op::Ne, word, b.constant(0), marked, passed_by);
    b.enter(marked);
    const Value window = b.load(8, sampling, offsetof(dt_sampling, window));
    b.branch(Op::Eq, b.binary(Op::LShr, word, b.constant(kWeightBits)), window, taken, passed_by);
    b.enter(taken);
    const int64_t stood = offsetof(dt_sampling, stood);
    b.store(8, sampling, stood, b.binary(Op::Add, b.load(8, sampling, stood), weight_in(context, word)));
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
    context.b->store(8, storage, context.module.layout.self_mark(), word_of_weight(context));
}

} // namespace dt::lower
