#include "probes/probe_registry.hpp"

#include <algorithm>
#include <utility>

namespace dt::probes {
namespace {

constexpr uint32_t kOnDemandRange = 1 << 16;

bool by_id(const Probe* a, const Probe* b)
{
    return a->id < b->id;
}

} // namespace

ProbeRegistry::ProbeRegistry(std::vector<std::unique_ptr<Provider>> providers)
{
    end_of_all_ = 1;
    for (std::unique_ptr<Provider>& provider : providers) {
        const uint32_t places = provider->places();
        if (places > kOnDemandRange && next_on_demand_ == 0)
            reserve_on_demand();
        providers_.push_back({std::move(provider), end_of_all_, {}});
        end_of_all_ += places;
    }
    if (next_on_demand_ == 0)
        reserve_on_demand();
}

void ProbeRegistry::reserve_on_demand()
{
    next_on_demand_ = end_of_all_;
    end_of_range_ = end_of_all_ += kOnDemandRange;
}

const Probe* ProbeRegistry::add(Probe probe)
{
    const Probe*& kept = by_id_[matching_->first_id + static_cast<uint32_t>(probe.place)];
    if (!kept) {
        probe.id = matching_->first_id + static_cast<uint32_t>(probe.place);
        probe.owner = static_cast<uint32_t>(matching_ - providers_.data());
        kept = &probes_.emplace_back(std::move(probe));
    }
    result_->push_back(kept);
    return kept;
}

const Probe* ProbeRegistry::add_on_demand(Probe probe)
{
    const auto [entry, is_new] = on_demand_.try_emplace(probe.full_name(), nullptr);
    if (is_new) {
        probe.id = next_on_demand_ < end_of_range_ ? next_on_demand_++ : end_of_all_++;
        probe.owner = static_cast<uint32_t>(matching_ - providers_.data());
        entry->second = &probes_.emplace_back(std::move(probe));
        by_id_[entry->second->id] = entry->second;
        matching_->on_demand.push_back(entry->second);
    }
    result_->push_back(entry->second);
    return entry->second;
}

/// Finds the probes of a provider that match a pattern: the probes that the provider's match() adds, and the existing
/// on-demand probes.
Result<void> ProbeRegistry::query(ProviderEntry& served, const ProbePattern& pattern)
{
    matching_ = &served;
    const ProbePattern canonical = served.provider->canonical(pattern);
    const Result<void> looked = served.provider->match(canonical, *this);
    for (const Probe* probe : served.on_demand)
        if (matches(canonical, *probe) && !served.provider->is_alias_probe(*probe))
            result_->push_back(probe);
    return looked;
}

std::vector<std::string_view> ProbeRegistry::provider_names() const
{
    std::vector<std::string_view> names;
    // lists each provider name only once, because two providers may have the same name
    for (const ProviderEntry& served : providers_)
        if (std::find(names.begin(), names.end(), served.provider->name()) == names.end())
            names.push_back(served.provider->name());
    return names;
}

Result<void> ProbeRegistry::find(const ProbePattern& pattern, std::vector<const Probe*>& found)
{
    const PartOfPhase timed(steps_, "probes");
    problems_.clear();
    QueryResult& result =
        results_[pattern.provider + ':' + pattern.module + ':' + pattern.function + ':' + pattern.name];
    const auto made = static_cast<uint32_t>(on_demand_.size());
    if (result.probes.empty() || result.on_demand != made) {
        result.probes.clear();
        result_ = &result.probes;
        for (ProviderEntry& served : providers_) {
            if (served.provider->serves(pattern.provider))
                if (const Result<void> looked = query(served, pattern); !looked)
                    problems_.push_back(looked.error());
            // BEGIN, END and ERROR belong to the first provider. Other providers are not queried for such a name.
            if (&served == &providers_.front() && is_literal(pattern.name) && !result.probes.empty())
                break;
        }
        std::sort(result.probes.begin(), result.probes.end(), by_id);
        result.probes.erase(std::unique(result.probes.begin(), result.probes.end()), result.probes.end());
        result.on_demand = static_cast<uint32_t>(on_demand_.size());
        if (!problems_.empty() && is_literal(pattern.provider))
            return problems_.front();
    }
    found.insert(found.end(), result.probes.begin(), result.probes.end());
    return {};
}

void ProbeRegistry::explain_absent(const ProbePattern& pattern, const Provider::VisitAbsent& visit)
{
    for (ProviderEntry& served : providers_)
        if (served.provider->serves(pattern.provider))
            served.provider->explain_absent(served.provider->canonical(pattern), visit);
}

std::string ProbeRegistry::why_absent(const ProbePattern& pattern)
{
    if (!is_literal(pattern.provider))
        return {};
    std::string why;
    explain_absent(pattern, [&](const std::string& what, std::string_view reason) {
        if (why.empty())
            why = "no probe for " + what + ": " + std::string(reason);
    });
    return why;
}

bool ProbeRegistry::is_on_demand(const Probe& probe) const
{
    const ProviderEntry& served = providers_[probe.owner];
    return probe.id < served.first_id || probe.id - served.first_id >= served.provider->places();
}

void ProbeRegistry::forget_on_demand()
{
    std::erase_if(results_, [this](const auto& result) {
        const auto& probes = result.second.probes;
        return std::any_of(probes.begin(), probes.end(), [this](const Probe* probe) { return is_on_demand(*probe); });
    });
}

const Probe* ProbeRegistry::probe(uint32_t id)
{
    if (const auto found = by_id_.find(id); found != by_id_.end())
        return found->second;
    // Lists the provider in whose range the id is. This creates all probes in that range, among them the wanted one.
    for (ProviderEntry& served : providers_)
        if (id >= served.first_id && id - served.first_id < served.provider->places()) {
            std::vector<const Probe*> ignored;
            (void)find({std::string(served.provider->name()), {}, {}, {}}, ignored);
        }
    const auto found = by_id_.find(id);
    return found != by_id_.end() ? found->second : nullptr;
}

bool ProbeRegistry::has_provider(std::string_view name)
{
    return std::any_of(providers_.begin(), providers_.end(),
                       [&](const ProviderEntry& served) { return served.provider->name() == name; });
}

const ProbeSignature& ProbeRegistry::signature(const Probe& probe)
{
    const auto [entry, is_new] = signatures_.try_emplace(probe.id);
    if (is_new)
        entry->second = providers_[probe.owner].provider->signature(probe);
    return entry->second;
}

std::string ProbeRegistry::argument_refusal(const Probe& probe, std::size_t number)
{
    return providers_[probe.owner].provider->argument_refusal(probe, number);
}

std::vector<std::shared_ptr<const AttachPlan>> ProbeRegistry::plan(const std::vector<const Probe*>& probes,
                                                                   const ProbeNeeds& needs)
{
    std::vector<std::vector<const Probe*>> by_provider(providers_.size());
    for (const Probe* probe : probes)
        by_provider[probe->owner].push_back(probe);
    std::vector<std::shared_ptr<const AttachPlan>> plans;
    for (std::size_t i = 0; i < providers_.size(); ++i)
        if (!by_provider[i].empty())
            for (std::shared_ptr<const AttachPlan>& plan :
                 providers_[i].provider->plan(by_provider[i], needs, refused_))
                plans.push_back(std::move(plan));
    return plans;
}

} // namespace dt::probes
