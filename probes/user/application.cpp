// PROVIDERpid:program:function:name: probe sites that a running program itself has named
// (engine/embed/dtrace_engine.h).
//
// The program's engine runs the clauses in its own process, so nothing is attached in the kernel. Users may attach to
// their own processes. The provider component of a description selects processes in the same way as for usdt probes.
#include <charconv>
#include <map>

#include "probes/attributes.hpp"
#include "probes/process_view.hpp"
#include "probes/provider.hpp"

namespace dt::probes {
namespace {

using Site = ProcessView::ApplicationSite;

/// Index of the context word that identifies the firing probe. The word follows the words of the arguments.
constexpr uint32_t kSelectorWord = kMaxArguments;

/// Returns 123 for "app123"; 0 if the name does not end with a number.
int64_t process_in(std::string_view provider)
{
    std::size_t end = provider.size();
    while (end > 0 && provider[end - 1] >= '0' && provider[end - 1] <= '9')
        --end;
    int64_t pid = 0;
    std::from_chars(provider.data() + end, provider.data() + provider.size(), pid);
    return end == 0 ? 0 : pid;
}

class ApplicationProvider final : public Provider {
public:
    explicit ApplicationProvider(KernelView& kernel) : kernel_(kernel) {}

    std::string_view name() const override { return "application"; }

    bool serves(std::string_view provider) const override
    {
        return !is_literal(provider) || provider.empty() || process_in(provider) > 0;
    }

    Result<void> match(const ProbePattern& pattern, ProbeSink& sink) override
    {
        if (is_literal(pattern.provider) && !pattern.provider.empty())
            look_at_sites(process_in(pattern.provider), pattern, sink);
        else
            for (const int64_t pid : kernel_.processes().pids(false))
                look_at_sites(pid, pattern, sink);
        return {};
    }

    ProbeSignature signature(const Probe& probe) override
    {
        ProbeSignature signature;
        const Site& site = sites_.at(probe.full_name());
        for (std::size_t i = 0; i < site.types.size() && i < kMaxArguments; ++i) {
            ProbeArgument argument{site.types[i], {}, static_cast<uint8_t>(i)};
            argument.userland = true;
            signature.arguments.push_back(std::move(argument));
        }
        return signature;
    }

    /// Returns one plan for each process, because a separate object is loaded into the engine of each process.
    std::vector<std::shared_ptr<const AttachPlan>> plan(const std::vector<const Probe*>& probes, const ProbeNeeds&,
                                                        const RefusedKinds&) override
    {
        std::map<int64_t, AttachPlan> plans;
        for (const Probe* probe : probes) {
            const int64_t pid = process_in(probe->provider);
            AttachPlan& plan = plans[pid];
            const uint64_t selector = plan.probes.size();
            plan.probes.push_back({probe, selector});
            plan.targets.push_back({probe->full_name(), selector, 0, probe, 0, pid});
        }
        std::vector<std::shared_ptr<const AttachPlan>> result;
        for (auto& [pid, plan] : plans) {
            plan.kind = ProgramKind::Application;
            for (std::size_t i = 0; i < plan.arguments.size(); ++i)
                plan.arguments[i] = {.kind = Location::Kind::ContextWord, .index = static_cast<uint32_t>(i)};
            if (plan.probes.size() > 1) {
                plan.selector = Location{.kind = Location::Kind::ContextWord, .index = kSelectorWord};
                plan.selector_bound = static_cast<uint32_t>(plan.probes.size());
            }
            result.push_back(std::make_shared<const AttachPlan>(std::move(plan)));
        }
        return result;
    }

private:
    void look_at_sites(int64_t pid, const ProbePattern& pattern, ProbeSink& sink)
    {
        ProcessView& processes = kernel_.processes();
        if (pid <= 0 || processes.is_tracer(pid))
            return;
        for (Site& site : processes.application_sites(pid)) {
            Probe probe;
            probe.provider = site.provider + std::to_string(pid);
            probe.module = site.module;
            probe.function = site.function;
            probe.name = site.name;
            probe.attributes = &kApplicationAttributes;
            probe.reported_by_process = true;
            if (!matches(pattern, probe))
                continue;
            sites_.insert_or_assign(probe.full_name(), std::move(site));
            sink.add_on_demand(probe);
        }
    }

    KernelView& kernel_;
    std::map<std::string, Site> sites_; ///< probe sites that were found; the key is the full name of the probe
};

} // namespace

std::unique_ptr<Provider> make_application_provider(KernelView& kernel)
{
    return std::make_unique<ApplicationProvider>(kernel);
}

} // namespace dt::probes
