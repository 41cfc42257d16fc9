// The probes that were met, by number and, those made on demand, by name. Each provider has a range of ids, one after
// the other from 1, and a probe's id is its place in the range: the same in a listing, with -i and in every trace. The
// dtrace provider comes first, so BEGIN, END and ERROR are 1, 2 and 3. Probes made on demand take ids from a range
// between the small providers' and the large ones', so that they are short to read; when that is full, beyond all.
//
// A description costs what its providers need to find it, never a look at the probes there are.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/steps.hpp"
#include "probes/provider.hpp"

namespace dt::probes {

class Catalogue final : public ProbeSource, private ProbeSink {
public:
    explicit Catalogue(std::vector<std::unique_ptr<Provider>> providers);

    Result<void> find(const ProbePattern& pattern, std::vector<const Probe*>& found) override;
    const Probe* probe(uint32_t id) override;
    bool has_provider(std::string_view name) override;
    const ProbeSignature& signature(const Probe& probe) override;
    std::string argument_refusal(const Probe& probe, std::size_t number) override;
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes,
                                                        const ProbeNeeds& needs) override;

    /// Tells these what looking for probes takes; null: nobody asks.
    void time_steps(Steps* steps) { steps_ = steps; }

    /// From now on plans do without this kind of program: the kernel will have none of it.
    void refuse(ProgramKind kind) { refused_.insert(kind); }

    /// Which probes are made on demand may depend on what passes, as processes do: what was found of these is asked for
    /// again from now on.
    void ask_again();

    /// The names of all providers, in the order of their ids; a provider of processes has its name without their
    /// numbers.
    std::vector<std::string_view> provider_names() const;
    std::string why_absent(const ProbePattern& pattern) override;

    /// What a pattern would mean and has no probe, and why.
    void explain_absent(const ProbePattern& pattern, const Provider::VisitAbsent& visit);

    /// Why this kernel cannot attach a probe that it lists; empty: it can, as far as can be known without trying.
    std::string_view why_unattachable(const Probe& probe)
    {
        return providers_[probe.owner].provider->why_unattachable(probe);
    }

    /// Why providers could not look, of the last find().
    const std::vector<Error>& problems() const { return problems_; }

private:
    struct Served {
        std::unique_ptr<Provider> provider;
        uint32_t first_id = 0;
        std::vector<const Probe*> on_demand;
    };
    struct Answer {
        uint32_t on_demand = 0; ///< how many of these there were when it was given
        std::vector<const Probe*> probes;
    };

    void reserve_on_demand();
    bool is_on_demand(const Probe& probe) const;
    const Probe* add(Probe probe) override;
    const Probe* add_on_demand(Probe probe) override;
    Result<void> ask(Served& served, const ProbePattern& pattern);

    std::vector<Served> providers_;
    Served* asked_ = nullptr; ///< whose match() runs
    std::vector<const Probe*>* answer_ = nullptr;
    std::deque<Probe> probes_; ///< never shrinks, so addresses are stable
    std::unordered_map<uint32_t, const Probe*> by_id_;
    std::unordered_map<std::string, const Probe*> on_demand_; ///< by full name
    uint32_t next_on_demand_ = 0, end_of_range_ = 0;          ///< ids for probes made on demand
    uint32_t end_of_all_ = 0;
    std::unordered_map<std::string, Answer> answers_;
    std::unordered_map<uint32_t, ProbeSignature> signatures_;
    std::vector<Error> problems_;
    RefusedKinds refused_;
    Steps* steps_ = nullptr;
};

} // namespace dt::probes
