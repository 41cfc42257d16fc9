// Lists the providers of this build, and implements what they have in common for matching patterns.
#include "probes/provider.hpp"

namespace dt::probes {

bool matches(const ProbePattern& pattern, const Probe& probe)
{
    return glob_match(pattern.name, probe.name) && glob_match(pattern.function, probe.function) &&
           glob_match(pattern.module, probe.module) && glob_match(pattern.provider, probe.provider);
}

bool is_literal(std::string_view component)
{
    return !component.empty() && component.find_first_of("*?[\\") == std::string_view::npos;
}

std::vector<std::shared_ptr<AttachPlan>> perf_event_plans(const std::vector<const Probe*>& probes,
                                                          const std::function<std::string(const Probe&)>& event)
{
    std::vector<std::shared_ptr<AttachPlan>> plans;
    for (const Probe* probe : probes) {
        AttachPlan plan;
        plan.kind = ProgramKind::PerfEvent;
        plan.probes = {{probe, 0}};
        plan.targets = {{event(*probe), 0, 0, probe}};
        plan.arguments[0] = {Location::Kind::KernelPc};
        plan.arguments[1] = {Location::Kind::UserPc};
        plans.push_back(std::make_shared<AttachPlan>(std::move(plan)));
    }
    return plans;
}

std::vector<std::unique_ptr<Provider>> all_providers(KernelView& kernel)
{
    std::vector<std::unique_ptr<Provider>> providers;
    providers.push_back(make_dtrace_provider());
    providers.push_back(make_profile_provider());
    providers.push_back(make_syscall_provider(kernel));
    for (std::unique_ptr<Provider>& provider : make_stable_providers(kernel))
        providers.push_back(std::move(provider));
    providers.push_back(make_pid_provider(kernel));
    providers.push_back(make_watch_provider(kernel));
    providers.push_back(make_usdt_provider(kernel));
    providers.push_back(make_application_provider(kernel));
    providers.push_back(make_cpc_provider(kernel));
    providers.push_back(make_rawtp_provider(kernel));
    providers.push_back(make_sdt_provider(kernel));
    providers.push_back(make_rawfbt_provider(kernel));
    providers.push_back(make_fbt_provider(kernel));
    return providers;
}

} // namespace dt::probes
