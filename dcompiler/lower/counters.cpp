#include "dcompiler/lower/counters.hpp"

#include <algorithm>

#include "dcompiler/lower/costs.hpp"
#include "dcompiler/lower/firings.hpp"
#include "dcompiler/lower/sampled_pairs.hpp"
#include "dcompiler/lower/sampling.hpp"

namespace dt::lower {
namespace {

/// Assigns gates to programs. Programs share gates if there are too many programs.
void place_gates(ModuleLowering& module, std::vector<Group>& groups)
{
    Schema& schema = module.out.schema;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Group& group = groups[i];
        if (!may_have_gate(module, group))
            continue;
        group.gate = static_cast<uint32_t>(i) % DT_GATE_OF_OTHERS;
        for (std::size_t probe = 0; probe < group.plan->probes.size(); ++probe)
            schema.counted[group.first_counted + probe].gate = group.gate;
        if (!has_others(module, group))
            continue;
        group.others = static_cast<uint32_t>(schema.counted.size() + schema.others.size());
        schema.others.push_back({group.plan->hook_kind(), *group.gate});
    }
    module.has_gates = std::any_of(groups.begin(), groups.end(), [](const Group& group) { return group.gate; });
}

} // namespace

void place_counters(ModuleLowering& module, std::vector<Group>& groups)
{
    const bool firings = module.options.counts_firings(), cost = module.options.times_firings();
    if (!firings && !cost)
        return;
    std::vector<CountedProbe>& counted = module.out.schema.counted;
    for (Group& group : groups) {
        group.first_counted = static_cast<uint32_t>(counted.size());
        for (const PlannedProbe& planned : group.plan->probes)
            counted.push_back({planned.probe->id, group.statements_of(*planned.probe), group.plan->hook_kind()});
    }
    place_gates(module, groups);
    if (firings)
        lay_out_firings(module, counted.size());
    if (cost)
        lay_out_costs(module, counted.size());
    if (module.options.maxcost != 0) {
        lay_out_sampling(module, counted.size());
        find_pairs(module, groups);
        note_roles(module, groups);
    }
}

} // namespace dt::lower
