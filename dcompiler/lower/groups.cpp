#include "dcompiler/lower/groups.hpp"

#include "dcompiler/sema/builtins.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace dt::lower {

namespace {

/// Probes that share a kernel hook share a program; providers may hand out equal hooks as separate objects.
using HookKey = std::pair<std::string, std::string>;

/// Probes that some clause answers in place of the kernel: all their clauses run where that can be done.
std::set<const Probe*> overridden_probes(const Program& program)
{
    std::set<const Probe*> found;
    for (const Statement& statement : program.statements)
        if (statement.overrides)
            found.insert(statement.probes.begin(), statement.probes.end());
    return found;
}

} // namespace

std::vector<Group> group_by_hook(const Program& program, std::vector<const Statement*>& errors)
{
    std::vector<Group> groups;
    std::map<HookKey, std::size_t> index;
    std::map<std::size_t, std::set<const Probe*>> enabled;
    const std::set<const Probe*> overridden = overridden_probes(program);

    for (const Statement& statement : program.statements) {
        std::set<std::size_t> seen;
        for (const Probe* probe : statement.probes) {
            if (!probe->hook) {
                if (probe->provider == "dtrace" && (errors.empty() || errors.back() != &statement))
                    errors.push_back(&statement);
                continue;
            }
            const auto& hook = overridden.count(probe) && probe->override_hook ? probe->override_hook : probe->hook;
            const auto [found, fresh] = index.try_emplace(HookKey{hook->section, hook->target}, groups.size());
            if (fresh)
                groups.push_back({hook, {}, {}, 0});
            Group& group = groups[found->second];
            if (seen.insert(found->second).second)
                group.statements.push_back({&statement, {}, false, 0});
            group.statements.back().probes.push_back(probe);
            enabled[found->second].insert(probe);
        }
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Group& group = groups[i];
        group.probes.assign(enabled[i].begin(), enabled[i].end());
        std::sort(group.probes.begin(), group.probes.end(),
                  [](const Probe* a, const Probe* b) { return std::pair(a->selector, a->id) < std::pair(b->selector, b->id); });
        for (GroupStatement& s : group.statements) {
            std::sort(s.probes.begin(), s.probes.end());
            s.probes.erase(std::unique(s.probes.begin(), s.probes.end()), s.probes.end());
            s.all = s.probes.size() == group.probes.size();
            if (!s.all)
                s.bit = group.mask_bits++;
        }
    }
    return groups;
}

} // namespace dt::lower
