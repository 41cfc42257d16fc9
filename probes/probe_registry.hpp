// The registry of probes, which finds probes by id and on-demand probes also by name. Each provider has a range of ids;
// the ranges are consecutive and begin at 1. A probe's id is the start of the range plus the probe's index in the
// provider, so a probe has the same id in a listing, with -i and in every trace. The dtrace provider is first, so
// BEGIN, END and ERROR have the ids 1, 2 and 3. On-demand probes get ids from a range between the small and the large
// providers, so that the ids are short. When that range is full, they get ids beyond all ranges.
//
// The time to resolve a description depends only on the lookups in its providers, and not on the number of probes in
// the registry.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/phase_times.hpp"
#include "probes/provider.hpp"

namespace dt::probes {

class ProbeRegistry final : public ProbeSource, private ProbeSink {
public:
    explicit ProbeRegistry(std::vector<std::unique_ptr<Provider>> providers);

    Result<void> find(const ProbePattern& pattern, std::vector<const Probe*>& found) override;
    const Probe* probe(uint32_t id) override;
    bool has_provider(std::string_view name) override;
    const ProbeSignature& signature(const Probe& probe) override;
    std::string argument_refusal(const Probe& probe, std::size_t number) override;
    ProbeVariables variables(const Probe& probe, const std::string& name) override
    {
        return providers_[probe.owner].provider->variables(probe, name);
    }
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                        const ProbeNeeds& needs) override;

    /// Sets the object that records how long lookups take; null for none.
    void record_phases(PhaseTimes* steps) { steps_ = steps; }

    /// Excludes a kind of program, which the kernel has refused, from later plans.
    void refuse(ProgramKind kind) { refused_.insert(kind); }

    /// Drops the cached results of on-demand lookups, because they may depend on things that change, such as the
    /// running processes.
    void forget_on_demand();

    /// Returns the names of all providers in the order of their ids. Providers of processes are named without process
    /// numbers.
    std::vector<std::string_view> provider_names() const;
    std::string why_absent(const ProbePattern& pattern) override;

    /// Calls `visit` for each name that the pattern matches but that has no probe, and passes the reason.
    void explain_absent(const ProbePattern& pattern, const Provider::VisitAbsent& visit);

    /// Returns why this kernel cannot attach a listed probe; empty if no reason is known without trying.
    std::string_view why_unattachable(const Probe& probe)
    {
        return providers_[probe.owner].provider->why_unattachable(probe);
    }

    /// Returns the errors of providers in the last call of find().
    const std::vector<Error>& problems() const { return problems_; }

private:
    struct ProviderEntry {
        std::unique_ptr<Provider> provider;
        uint32_t first_id = 0;
        std::vector<const Probe*> on_demand;
    };
    struct QueryResult {
        uint32_t on_demand = 0; ///< number of on-demand probes that existed when the cached result was computed
        std::vector<const Probe*> probes;
    };

    void reserve_on_demand();
    bool is_on_demand(const Probe& probe) const;
    const Probe* add(Probe probe) override;
    const Probe* add_on_demand(Probe probe) override;
    Result<void> query(ProviderEntry& served, const ProbePattern& pattern);

    std::vector<ProviderEntry> providers_;
    ProviderEntry* matching_ = nullptr; ///< provider whose match() is running
    std::vector<const Probe*>* result_ = nullptr;
    std::deque<Probe> probes_; ///< all probes; none is ever removed, so their addresses do not change
    std::unordered_map<uint32_t, const Probe*> by_id_;
    std::unordered_map<std::string, const Probe*> on_demand_; ///< on-demand probes by full name
    /// id for the next on-demand probe, and end of the range of short ids
    uint32_t next_on_demand_ = 0, end_of_range_ = 0;
    uint32_t end_of_all_ = 0;
    std::unordered_map<std::string, QueryResult> results_;
    std::unordered_map<uint32_t, ProbeSignature> signatures_;
    std::vector<Error> problems_;
    RefusedKinds refused_;
    PhaseTimes* steps_ = nullptr;
};

} // namespace dt::probes
