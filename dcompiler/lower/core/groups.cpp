// Requests attach plans for the probes of a program, and distributes its statements to them.
#include "dcompiler/lower/groups.hpp"

#include "dcompiler/lower/same_code.hpp"
#include "dcompiler/sema/builtins.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace dt::lower {

namespace {

using Probes = std::vector<const Probe*>;

bool by_id(const Probe* a, const Probe* b)
{
    return a->id < b->id;
}

/// Sorts probes by id and removes duplicates.
void make_set(Probes& probes)
{
    if (!std::is_sorted(probes.begin(), probes.end(), by_id))
        std::sort(probes.begin(), probes.end(), by_id);
    probes.erase(std::unique(probes.begin(), probes.end()), probes.end());
}

/// Requests plans for all enabled probes. If a clause overrides a function's result, all clauses of its probe run at a
/// hook that supports this.
std::vector<std::shared_ptr<const AttachPlan>> plans_of(const Program& program, ProbeSource& source)
{
    Probes overridden, enabled, usual;
    for (const Statement& statement : program.statements) {
        Probes& probes = statement.overrides ? overridden : enabled;
        probes.insert(probes.end(), statement.probes.begin(), statement.probes.end());
    }
    make_set(overridden);
    make_set(enabled);
    std::set_difference(enabled.begin(), enabled.end(), overridden.begin(), overridden.end(), std::back_inserter(usual),
                        by_id);
    auto plans = source.plan(usual, {});
    if (!overridden.empty())
        for (auto& plan : source.plan(overridden, {.overrides = true}))
            plans.push_back(std::move(plan));
    return plans;
}

/// Assigns a bit to each statement that does not apply to all probes of the group, and places for the numbers of
/// statements that share code.
void number_statements(Group& group)
{
    for (GroupStatement& s : group.statements) {
        std::sort(s.probes.begin(), s.probes.end());
        s.probes.erase(std::unique(s.probes.begin(), s.probes.end()), s.probes.end());
        s.all = s.probes.size() == group.plan->probes.size();
        if (!s.all)
            s.bit = group.mask_bits++;
    }
    for (GroupStatement& s : group.statements)
        if (!s.owners.empty())
            s.number_at = group.numbers_at() + 4 * group.numbers++;
}

/// Returns whether the statement may share the code of the statement before it. A probe that both match must run the
/// code twice, which excludes sharing.
bool may_join(const GroupStatement& before, const Statement& statement, const Probes& probes, ProbeSource& source)
{
    if (!is_same_code(*before.statement, statement, source))
        return false;
    const std::unordered_set<const Probe*> these(probes.begin(), probes.end());
    return std::none_of(before.probes.begin(), before.probes.end(),
                        [&](const Probe* probe) { return these.count(probe) != 0; });
}

void enable(Group& group, const Statement& statement, Probes probes, ProbeSource& source)
{
    if (group.statements.empty() || !may_join(group.statements.back(), statement, probes, source)) {
        group.statements.push_back({&statement, std::move(probes), false, 0, {}, 0});
        return;
    }
    GroupStatement& before = group.statements.back();
    if (before.owners.empty())
        for (const Probe* probe : before.probes)
            before.owners[probe] = before.statement;
    for (const Probe* probe : probes)
        before.owners[probe] = &statement;
    before.probes.insert(before.probes.end(), probes.begin(), probes.end());
}

/// A probe and a plan that contains it; sorted by probe, because there are tens of thousands.
struct Served {
    const Probe* probe;
    const std::shared_ptr<const AttachPlan>* plan;
};

std::vector<Served> served_by(const std::vector<std::shared_ptr<const AttachPlan>>& plans)
{
    std::vector<Served> served;
    for (const auto& plan : plans)
        for (const PlannedProbe& planned : plan->probes)
            served.push_back({planned.probe, &plan});
    std::stable_sort(served.begin(), served.end(),
                     [](const Served& a, const Served& b) { return a.probe->id < b.probe->id; });
    return served;
}

/// Returns the statement's probes by plan, in the order of their first probe.
std::vector<std::pair<std::shared_ptr<const AttachPlan>, Probes>> dealt_out(const Statement& statement,
                                                                            const std::vector<Served>& served)
{
    std::vector<std::pair<std::shared_ptr<const AttachPlan>, Probes>> dealt;
    std::unordered_map<const AttachPlan*, std::size_t> index;
    auto at = served.begin();
    for (const Probe* probe : statement.probes) {
        if (at == served.end() || at->probe != probe) // otherwise it is the next one, which is the common case
            at = std::partition_point(served.begin(), served.end(),
                                      [probe](const Served& each) { return each.probe->id < probe->id; });
        for (; at != served.end() && at->probe == probe; ++at) {
            const auto [place, is_new] = index.try_emplace(at->plan->get(), dealt.size());
            if (is_new)
                dealt.push_back({*at->plan, {}});
            dealt[place->second].second.push_back(probe);
        }
    }
    return dealt;
}

} // namespace

std::vector<uint32_t> Group::statements_of(const Probe& probe) const
{
    std::vector<uint32_t> numbers;
    for (const GroupStatement& use : statements)
        if (use.all || std::binary_search(use.probes.begin(), use.probes.end(), &probe)) {
            const auto owner = use.owners.find(&probe);
            numbers.push_back(owner == use.owners.end() ? use.statement->id : owner->second->id);
        }
    return numbers;
}

std::vector<Group> group_by_plan(const Program& program, ProbeSource& source, Group& errors)
{
    const auto plans = plans_of(program, source);
    const std::vector<Served> served = served_by(plans);
    std::vector<Group> groups;
    std::unordered_map<const AttachPlan*, std::size_t> index;
    for (const Statement& statement : program.statements)
        for (auto& [plan, probes] : dealt_out(statement, served)) {
            const bool is_error = plan->kind_info().section.empty();
            if (!is_error && index.try_emplace(plan.get(), groups.size()).second)
                groups.push_back({plan, {}, 0});
            Group& group = is_error ? errors : groups[index.at(plan.get())];
            group.plan = plan;
            enable(group, statement, std::move(probes), source);
        }
    for (Group& group : groups)
        number_statements(group);
    if (errors.plan)
        number_statements(errors);
    return groups;
}

} // namespace dt::lower
