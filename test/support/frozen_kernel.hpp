// A kernel made by hand, which the real providers run over: the tests' half of what providers know.
#pragma once

#include <vector>

#include "probes/kernel_view.hpp"
#include "probes/provider.hpp"

namespace dt::test {

inline constexpr int64_t kTracer = 4242, kTarget = 4343;

/// Two processes that are the same on every machine: the tracer, and a target with a program and a library.
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

class FrozenKernel : public probes::KernelView {
public:
    explicit FrozenKernel(bool newer_calls = true) : newer_calls_(newer_calls) {}

    bool has_syscall(std::string_view) override { return newer_calls_; }
    KernelTypes* types() override { return nullptr; }
    bool is_traceable(std::string_view) override { return true; }
    probes::ProcessView& processes() override { return processes_; }

private:
    bool newer_calls_;
    FrozenProcesses processes_;
};

} // namespace dt::test
