// Two processes that are the same on every machine: the tracer, and a target with a program and a library.
#pragma once

#include "probes/process_view.hpp"
#include "probes/provider.hpp"
#include "test/unit/frozen_world.hpp"

namespace dt::test {

inline constexpr int64_t kTracer = 4242, kTarget = 4343;

class FrozenProcesses final : public probes::ProcessView {
public:
    bool is_tracer(int64_t pid) override { return pid == kTracer; }

    Result<std::vector<Object>> objects(int64_t pid) override
    {
        if (pid != kTarget)
            return Error{"No such process"};
        return std::vector<Object>{{"/usr/bin/shop", true}, {"/usr/lib/libc.so.6", false}};
    }

    std::vector<Function> functions(const Object& object, std::string_view pattern) override
    {
        std::vector<Function> found;
        for (const Function& function : {Function{object.is_executable ? "main" : "malloc", 0x40}, Function{"helper", 0x10}})
            if (glob_match(pattern, function.name))
                found.push_back(function);
        return found;
    }
};

/// The frozen world with the real pid provider over these processes.
class ProcessWorld final : public FrozenWorld, private probes::ProbeSink {
public:
    Result<void> find_probes(const ProbePattern& pattern, std::vector<const Probe*>& found) override
    {
        if (provider_->serves(pattern.provider))
            return provider_->match(pattern, *this);
        return FrozenWorld::find_probes(pattern, found);
    }

private:
    const Probe* add(Probe, std::optional<uint32_t>) override { return nullptr; } // it makes none yet

    std::unique_ptr<probes::Provider> provider_ = probes::make_pid_provider(std::make_unique<FrozenProcesses>());
};

} // namespace dt::test
