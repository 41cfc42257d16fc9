// Tests the probes of provider watch (dtrace-providers(7), MEMORY OF PROCESSES).
#include <gtest/gtest.h>

#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

const std::string kOfTarget = "watch" + std::to_string(test::kTarget);

/// A kernel whose target process has the variable `counter` of 8 bytes, `table` of 12 bytes and the function `main`.
class KernelWithVariables final : public test::FrozenKernel {
public:
    ProcessView& processes() override { return processes_; }

private:
    class Variables final : public test::FrozenProcesses {
    public:
        std::optional<Symbol> symbol(int64_t, const std::string&, const std::string& name) override
        {
            if (name == "main")
                return Symbol{0x401000, 0x40, true};
            if (name == "counter")
                return Symbol{0x601040, 8, false};
            return name == "table" ? std::optional(Symbol{0x601048, 12, false}) : std::nullopt;
        }
    };
    Variables processes_;
};

/// Returns the target to which the probe is attached, or the error message.
std::string target_of(const std::string& module, const std::string& function, const std::string& name)
{
    KernelWithVariables kernel;
    const auto provider = make_watch_provider(kernel);
    TestSink sink;
    const ProbePattern pattern{kOfTarget, module, function, name};
    if (const Result<void> matched = provider->match(pattern, sink); !matched)
        return matched.error().message;
    return plan_of(*provider, pattern)->targets.at(0).where;
}

class WatchProvider : public testing::Test {
    void SetUp() override
    {
        if (!machine::native().breakpoint.data_traps_follow)
            GTEST_SKIP() << "only for processors that trap after the access";
    }
};

TEST_F(WatchProvider, AddressesAndVariablesBecomeBreakpoints)
{
    // period, CPUs, PERF_TYPE_BREAKPOINT, config, then address, size, HW_BREAKPOINT_W (2), _RW (3) or _X (4), number
    EXPECT_EQ(target_of("0x601040/8", "", "write"), "1:all:5:0:0x601040/8/2/1");
    EXPECT_EQ(target_of("a.out", "counter", "rw"), "1:all:5:0:0x601040/8/3/1");
    EXPECT_EQ(target_of("", "main", "exec"), "1:all:5:0:0x401000/8/4/1");
}

TEST_F(WatchProvider, RefusesMemoryThatNoRegisterHolds)
{
    EXPECT_EQ(target_of("0x601041/8", "", "write"), "address 0x601041 is not a multiple of the size 8");
    EXPECT_EQ(target_of("0x601040", "", "write"), "the size is missing: expected 0x601040/SIZE with SIZE 1, 2, 4 or 8");
    EXPECT_EQ(target_of("a.out", "table", "rw"),
              "a watchpoint covers 1, 2, 4 or 8 bytes, not 12: use 0x601048/8::rw for the first 8 bytes");
}

TEST_F(WatchProvider, AccessesMustFitTheSymbol)
{
    EXPECT_EQ(target_of("a.out", "main", "write"), "'main' is a function: use the access exec");
    EXPECT_EQ(target_of("a.out", "counter", "exec"), "'counter' is a variable: use the access write or rw");
    EXPECT_EQ(target_of("0x401000/4", "", "exec"), "an instruction has no size: expected 0x401000::exec");
}

} // namespace
} // namespace dt::probes
