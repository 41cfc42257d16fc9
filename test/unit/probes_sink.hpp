// A probe registry for tests.
#pragma once

#include <algorithm>
#include <deque>

#include "probes/provider.hpp"

namespace dt::probes {

class TestSink final : public ProbeSink {
public:
    const Probe* add(Probe probe, std::optional<uint32_t>) override
    {
        for (const Probe& known : probes)
            if (known.provider == probe.provider && known.module == probe.module && known.function == probe.function && known.name == probe.name)
                return &known;
        probe.id = static_cast<uint32_t>(probes.size() + 1);
        return &probes.emplace_back(std::move(probe));
    }

    const Probe* named(std::string_view function, std::string_view name) const
    {
        const auto found = std::find_if(probes.begin(), probes.end(), [&](const Probe& probe) { return probe.function == function && probe.name == name; });
        return found == probes.end() ? nullptr : &*found;
    }

    std::deque<Probe> probes;
};

} // namespace dt::probes
