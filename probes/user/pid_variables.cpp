// Merges the variables at the instructions of a probe.
#include "probes/user/pid_variables.hpp"

#include <algorithm>

namespace dt::probes {

const ProcessView::Variables& PidVariables::at(const Instruction& instruction, const std::string& name)
{
    const auto [entry, is_new] = known_.try_emplace({instruction, name});
    if (is_new)
        entry->second = kernel_.processes().variables(instruction.file, instruction.offset, name);
    return entry->second;
}

ProbeVariables PidVariables::find(const std::vector<Instruction>& instructions, const std::string& name)
{
    ProbeVariables merged;
    bool is_first = true;
    for (const Instruction& instruction : instructions) {
        const ProcessView::Variables& here = at(instruction, name);
        if (!here.problem.empty())
            return {{}, here.problem};
        for (const ProcessView::Variable& each : here.found)
            if (is_first)
                merged.found.push_back({each.name, {}, {}, true, each.is_parameter, {}});
        is_first = false;
        std::erase_if(merged.found, [&](ProbeVariable& variable) {
            const auto found =
                std::find_if(here.found.begin(), here.found.end(),
                             [&](const ProcessView::Variable& each) { return each.name == variable.name; });
            if (found == here.found.end() && name.empty())
                return true;
            if (found == here.found.end()) {
                variable.refusal = "it is not visible in one of the " + std::to_string(instructions.size()) + " copies";
                return false;
            }
            variable.types.push_back(found->type);
            variable.is_in_memory &= found->location.is_in_memory();
            variable.lost.insert(variable.lost.end(), found->location.lost.begin(), found->location.lost.end());
            if (variable.refusal.empty() && !found->refusal.empty())
                variable.refusal = instructions.size() == 1 ? found->refusal
                                                            : "in one of the " + std::to_string(instructions.size()) +
                                                                  " copies, " + found->refusal;
            return false;
        });
    }
    return merged;
}

PidVariables::Locations PidVariables::locations(const Instruction& instruction, const std::set<std::string>& names)
{
    Locations locations;
    for (const std::string& name : names)
        for (const ProcessView::Variable& each : at(instruction, name).found)
            if (each.refusal.empty())
                locations[name] = each.location;
    return locations;
}

} // namespace dt::probes
