// Collects the probes of one provider, and gives them ids from 1 on.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "probes/provider.hpp"

namespace dt::probes {

class TestSink final : public ProbeSink {
public:
    const Probe* add(Probe probe) override { return keep(std::move(probe)); }
    const Probe* add_on_demand(Probe probe) override
    {
        probe.place = UINT64_MAX;
        return keep(std::move(probe));
    }

    const Probe* named(std::string_view function, std::string_view name) const
    {
        const auto found = std::find_if(probes.begin(), probes.end(), [&](const Probe& probe) {
            return probe.function == function && probe.name == name;
        });
        return found == probes.end() ? nullptr : &*found;
    }

    std::deque<Probe> probes;

private:
    const Probe* keep(Probe probe)
    {
        for (const Probe& known : probes)
            if (known.full_name() == probe.full_name())
                return &known;
        probe.id = probe.place == UINT64_MAX ? static_cast<uint32_t>(1000 + probes.size())
                                             : static_cast<uint32_t>(probe.place + 1);
        return &probes.emplace_back(std::move(probe));
    }
};

/// Returns the attach plan of the only matching probe, or null.
inline std::shared_ptr<const AttachPlan> plan_of(Provider& provider, const ProbePattern& pattern,
                                                 const ProbeNeeds& needs = {})
{
    TestSink sink;
    EXPECT_TRUE(provider.match(pattern, sink));
    if (sink.probes.empty())
        return nullptr;
    const auto plans = provider.plan({&sink.probes.front()}, needs, {});
    EXPECT_EQ(plans.size(), 1u);
    std::shared_ptr<AttachPlan> plan = std::make_shared<AttachPlan>(*plans.at(0));
    // removes references to the sink from this copy of the plan, because the sink is now destroyed
    plan->probes.clear();
    return plan;
}

} // namespace dt::probes
