// The World for compiling an object that is added to a trace. This World describes the same machine as the trace's
// World, but contains only the probe locations that have appeared since the last lookup.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "dcompiler/sema/program/program.hpp"
#include "libdtrace/session/live_world.hpp"

namespace dt {

/// Locations in files at which a trace has attached probes.
class HookedLocations {
public:
    /// Returns the targets of a plan that are not attached yet, and records them as attached. Each instruction of a
    /// file is attached only once for each probe. Omits targets in files that are no longer accessible.
    std::vector<AttachTarget> add_new(const AttachPlan& plan);

    /// Begins a set of changes that undo() can revert.
    void begin() { added_.clear(); }
    void undo();

    /// Forgets the locations of the probes for which `is_meant` returns true, so that these probes can be attached
    /// again.
    void forget(const std::function<bool(const Probe&)>& is_meant);

private:
    using File = std::pair<uint64_t, uint64_t>; ///< identity of a file: device and inode
    /// section name (uprobe or uretprobe), which does not depend on the attach mechanism
    using Location = std::tuple<File, uint64_t, const Probe*, std::string_view>;

    std::set<Location> places_;
    std::vector<Location> added_; ///< locations recorded since begin()
};

class DynamicProbeSource final : public ProbeSource {
public:
    /// All arguments must outlive this object. `first` contains the probes that were found when the trace began. The
    /// types of those probes are also used for clauses that are compiled later.
    DynamicProbeSource(LiveWorld& world, const Processes& processes, const Program& first, HookedLocations& hooked);

    /// Finds probes. A description that matches no accessible file is not an error, unlike when the trace began.
    Result<void> find(const ProbePattern& pattern, std::vector<const Probe*>& found) override;
    const Probe* probe(uint32_t id) override { return world_.probes().probe(id); }
    bool has_provider(std::string_view name) override { return world_.probes().has_provider(name); }
    const ProbeSignature& signature(const Probe& probe) override { return world_.probes().signature(probe); }
    std::string argument_refusal(const Probe& probe, std::size_t number) override
    {
        return world_.probes().argument_refusal(probe, number);
    }
    ProbeVariables variables(const Probe& probe, const std::string& name) override
    {
        return world_.probes().variables(probe, name);
    }
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                        const ProbeNeeds& needs) override;

    /// Looks up all probe descriptions again. Returns whether plan() has new locations to attach.
    bool find_new(const Program& program);
    /// Returns the plans that detect stack unwinding in processes, including plans that are already attached.
    const std::vector<std::shared_ptr<const AttachPlan>>& unwinding() const { return unwinding_; }

private:
    std::vector<AttachTarget> new_targets(const AttachPlan& plan);
    std::shared_ptr<const AttachPlan> new_is_enabled_probe(const AttachPlan& is_enabled_probe);

    LiveWorld& world_;
    const Processes& processes_;
    HookedLocations& hooked_;
    std::map<std::string, std::vector<const Probe*>> known_; ///< for each probe description, the probes found so far
    std::vector<std::shared_ptr<const AttachPlan>> plans_, unwinding_;
};

/// The World of this machine, in which only the probes of a DynamicProbeSource exist.
class DynamicWorld final : public World {
public:
    DynamicWorld(LiveWorld& world, DynamicProbeSource& probes) : world_(world), probes_(probes) {}

    ProbeSource& probes() override { return probes_; }
    bool has_module(std::string_view name) override { return world_.has_module(name); }
    TypeSource* types() override { return world_.types(); }
    TypeSource* running_types() override { return world_.running_types(); }
    std::optional<uint32_t> task_offset(std::string_view member) override { return world_.task_offset(member); }
    std::optional<KernelSymbol> symbol(std::string_view module, std::string_view name) override
    {
        return world_.symbol(module, name);
    }
    std::string symbol_hint() override { return world_.symbol_hint(); }
    std::optional<KernelSymbol> user_symbol(std::string_view module, std::string_view name) override
    {
        return world_.user_symbol(module, name);
    }
    std::vector<int32_t> chips() override { return world_.chips(); }
    std::map<uint32_t, std::string> block_drivers() override { return world_.block_drivers(); }
    const Features& features() override { return world_.features(); }
    bool can_write_user() override { return world_.can_write_user(); }
    uint32_t readable_cast() override { return world_.readable_cast(); }
    const Target& target() const override { return world_.target(); }

private:
    LiveWorld& world_;
    DynamicProbeSource& probes_;
};

/// Returns whether the plan attaches probes to code of processes.
bool is_in_process(const AttachPlan& plan);

} // namespace dt
