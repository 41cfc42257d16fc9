// Looks up probes that have appeared since the trace began, and plans hooks for the new locations. A location is
// identified by file (device and inode), instruction and probe, and not by a path, because paths differ between
// processes. So a file that two processes map is attached only once.
#include "libdtrace/session/dynamic_world.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace dt {
namespace {

/// Splits a probe description into its components. The name of a function may contain colons.
ProbePattern pattern_of(const std::string& description)
{
    const std::size_t module = description.find(':') + 1, function = description.find(':', module) + 1,
                      name = description.rfind(':') + 1;
    return {description.substr(0, module - 1), description.substr(module, function - 1 - module),
            description.substr(function, name - 1 - function), description.substr(name)};
}

std::string description_of(const ProbePattern& pattern)
{
    return pattern.provider + ":" + pattern.module + ":" + pattern.function + ":" + pattern.name;
}

/// Removes the probes without a target (a location to attach to) from a plan.
void drop_unhooked(AttachPlan& plan)
{
    std::set<const Probe*> hooked;
    for (const AttachTarget& target : plan.targets)
        hooked.insert(target.probe);
    std::set<uint64_t> selectors;
    for (const PlannedProbe& planned : plan.probes)
        if (hooked.contains(planned.probe))
            selectors.insert(planned.selector);
    for (const PerProcessSelector& each : plan.per_process_selectors)
        if (selectors.contains(each.common_selector))
            selectors.insert(each.selector);
    std::erase_if(plan.probes, [&](const PlannedProbe& planned) { return !selectors.contains(planned.selector); });
}

} // namespace

bool is_in_process(const AttachPlan& plan)
{
    return plan.everywhere || (!plan.probes.empty() && plan.probes.front().process != 0);
}

std::vector<AttachTarget> HookedLocations::add_new(const AttachPlan& plan)
{
    std::unordered_map<std::string, File> files;
    std::vector<AttachTarget> fresh;
    for (const AttachTarget& target : plan.targets) {
        const auto [file, is_new] = files.try_emplace(target.where);
        struct stat status {};
        if (is_new && stat(target.where.c_str(), &status) == 0)
            file->second = {status.st_dev, status.st_ino};
        const Location place{file->second, target.address, target.probe, plan.kind_info().section};
        if (file->second.second == 0 || !places_.insert(place).second)
            continue;
        added_.push_back(place);
        fresh.push_back(target);
    }
    return fresh;
}

void HookedLocations::undo()
{
    for (const Location& place : added_)
        places_.erase(place);
    added_.clear();
}

void HookedLocations::forget(const std::function<bool(const Probe&)>& is_meant)
{
    std::erase_if(places_, [&](const Location& place) {
        const Probe* const probe = std::get<const Probe*>(place);
        return probe && is_meant(*probe);
    });
}

DynamicProbeSource::DynamicProbeSource(LiveWorld& world, const Processes& processes, const Program& first,
                                       HookedLocations& hooked)
    : world_(world), processes_(processes), hooked_(hooked)
{
    for (const Statement& statement : first.statements)
        known_[statement.description] = statement.probes;
}

Result<void> DynamicProbeSource::find(const ProbePattern& pattern, std::vector<const Probe*>& found)
{
    std::vector<const Probe*>& known = known_[description_of(pattern)];
    std::vector<const Probe*> now;
    static_cast<void>(world_.probes().find(pattern, now));
    for (const Probe* const probe : now)
        if (std::find(known.begin(), known.end(), probe) == known.end())
            known.push_back(probe);
    found.insert(found.end(), known.begin(), known.end());
    return {};
}

/// Returns the targets (locations) that are new in traced processes. A pattern such as shop* may also match untraced
/// processes. Their targets are omitted, because such processes are looked up only once, when the trace begins.
std::vector<AttachTarget> DynamicProbeSource::new_targets(const AttachPlan& plan)
{
    AttachPlan own;
    own.kind = plan.kind;
    std::set<const Probe*> probes;
    for (const PlannedProbe& planned : plan.probes)
        if (plan.everywhere || processes_.is_one(planned.process))
            probes.insert(planned.probe);
    std::copy_if(plan.targets.begin(), plan.targets.end(), std::back_inserter(own.targets),
                 [&](const AttachTarget& target) { return probes.contains(target.probe); });
    return hooked_.add_new(own);
}

/// Returns an attach plan with those USDT is-enabled probes that are not attached yet, or null if there are none.
std::shared_ptr<const AttachPlan> DynamicProbeSource::new_is_enabled_probe(const AttachPlan& is_enabled_probe)
{
    auto made = std::make_shared<AttachPlan>(is_enabled_probe);
    std::erase_if(made->targets, [&](const AttachTarget& target) {
        return target.process != 0 && !processes_.is_one(target.process);
    });
    made->targets = hooked_.add_new(*made);
    return made->targets.empty() ? nullptr : made;
}

bool DynamicProbeSource::find_new(const Program& program)
{
    world_.refresh();
    hooked_.begin();
    std::set<const Probe*> probes;
    ProbeNeeds needs;
    for (const Statement& statement : program.statements) {
        std::vector<const Probe*> found;
        static_cast<void>(find(pattern_of(statement.description), found));
        probes.insert(found.begin(), found.end());
        if (!statement.variables.empty())
            for (const Probe* const probe : found)
                needs.variables[probe].insert(statement.variables.begin(), statement.variables.end());
    }
    plans_.clear();
    unwinding_.clear();
    std::vector<std::shared_ptr<AttachPlan>> fresh;
    std::shared_ptr<const AttachPlan> is_enabled_probe;
    for (const auto& plan : world_.probes().plan({probes.begin(), probes.end()}, needs)) {
        if (!plan->kind_info().is_program())
            plans_.push_back(plan); // attach plan of the program of ERROR, which runs if a clause faults
        if (plan->unwinder)
            unwinding_.push_back(plan);
        if (!is_in_process(*plan))
            continue;
        auto made = std::make_shared<AttachPlan>(*plan);
        made->targets = new_targets(*plan);
        drop_unhooked(*made);
        if (made->is_enabled_probe)
            is_enabled_probe = new_is_enabled_probe(*made->is_enabled_probe);
        made->is_enabled_probe.reset();
        if (!made->targets.empty())
            fresh.push_back(std::move(made));
    }
    if (!fresh.empty())
        fresh.front()->is_enabled_probe = is_enabled_probe;
    plans_.insert(plans_.end(), fresh.begin(), fresh.end());
    return !fresh.empty();
}

std::vector<std::shared_ptr<const AttachPlan>> DynamicProbeSource::plan(const std::vector<const Probe*>&,
                                                                        const ProbeNeeds&)
{
    return plans_;
}

} // namespace dt
