// Asks for plans for the probes of a program, and deals its statements out to them.
#include "dcompiler/lower/groups.hpp"

#include "dcompiler/sema/builtins.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace dt::lower {

namespace {

struct ById {
    bool operator()(const Probe* a, const Probe* b) const { return a->id < b->id; }
};
using ProbeSet = std::set<const Probe*, ById>;

/// Plans for every enabled probe. What some clause answers in place of the kernel runs all its clauses where that can be done.
std::vector<std::shared_ptr<const AttachPlan>> plans_of(const Program& program, ProbeSource& source)
{
    ProbeSet overridden, enabled;
    for (const Statement& statement : program.statements)
        (statement.overrides ? overridden : enabled).insert(statement.probes.begin(), statement.probes.end());
    ProbeSet usual;
    std::set_difference(enabled.begin(), enabled.end(), overridden.begin(), overridden.end(), std::inserter(usual, usual.end()), ById());
    auto plans = source.plan({usual.begin(), usual.end()}, {});
    if (!overridden.empty())
        for (auto& plan : source.plan({overridden.begin(), overridden.end()}, {.overrides = true}))
            plans.push_back(std::move(plan));
    return plans;
}

/// The statements' bits: those that do not apply to all probes of the group have one each.
void number_statements(Group& group)
{
    for (GroupStatement& s : group.statements) {
        std::sort(s.probes.begin(), s.probes.end());
        s.probes.erase(std::unique(s.probes.begin(), s.probes.end()), s.probes.end());
        s.all = s.probes.size() == group.plan->probes.size();
        if (!s.all)
            s.bit = group.mask_bits++;
    }
}

} // namespace

std::vector<Group> group_by_plan(const Program& program, ProbeSource& source, Group& errors)
{
    std::unordered_map<const Probe*, std::vector<std::shared_ptr<const AttachPlan>>> plans_for;
    for (const auto& plan : plans_of(program, source))
        for (const PlannedProbe& planned : plan->probes)
            plans_for[planned.probe].push_back(plan);
    std::vector<Group> groups;
    std::unordered_map<const AttachPlan*, std::size_t> index;
    for (const Statement& statement : program.statements) {
        for (const Probe* probe : statement.probes)
            for (const auto& plan : plans_for[probe]) {
                const bool is_error = plan->kind_info().section.empty();
                if (!is_error && index.try_emplace(plan.get(), groups.size()).second)
                    groups.push_back({plan, {}, 0});
                Group& group = is_error ? errors : groups[index.at(plan.get())];
                group.plan = plan;
                if (group.statements.empty() || group.statements.back().statement != &statement)
                    group.statements.push_back({&statement, {}, false, 0});
                group.statements.back().probes.push_back(probe);
            }
    }
    for (Group& group : groups)
        number_statements(group);
    if (errors.plan)
        number_statements(errors);
    return groups;
}

} // namespace dt::lower
