// Tests attach plans of probes for the kernel of another machine: they must follow that kernel and processor.
#include <gmock/gmock.h>

#include "machine/arm64/arm64.hpp"
#include "probes/user/pid_search.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;
namespace arm64 = machine::arm64;

test::FrozenKernel& arm_kernel()
{
    static test::FrozenKernel kernel;
    kernel.runs_on = &arm64::kMachine;
    return kernel;
}

TEST(OtherMachines, SystemCallsHaveTheNumbersAndRegistersOfTheMachine)
{
    const auto provider = make_syscall_provider(arm_kernel());
    TestSink found;
    ASSERT_TRUE(provider->match({"syscall", "", "openat", ""}, found));
    ASSERT_EQ(found.probes.size(), 2u);
    const auto plans = provider->plan({&found.probes[0], &found.probes[1]}, {}, {});
    ASSERT_EQ(plans.size(), 2u);
    EXPECT_EQ(plans[0]->probes[0].selector, 56u);
    // at the return, x0 holds the result, so the argument is read from orig_x0
    EXPECT_EQ(plans[0]->arguments[0].index, uint32_t{arm64::OrigX0});
    EXPECT_EQ(plans[0]->arguments[1].index, 1u);
    // for a 32-bit program, this word also contains the number of the system call
    EXPECT_EQ(plans[1]->selector->index, uint32_t{arm64::SyscallNumber});
    EXPECT_EQ(plans[1]->selector->size, 4u);
    EXPECT_EQ(plans[0]->compat_syscalls->bit, 22u);
    EXPECT_EQ(plans[0]->compat_syscalls->selectors[322], 56u); // system call number 322 of 32-bit programs is openat
}

TEST(OtherMachines, AMissingSystemCallNamesItsReplacement)
{
    const auto provider = make_syscall_provider(arm_kernel());
    TestSink found;
    ASSERT_TRUE(provider->match({"syscall", "", "newstat", "entry"}, found));
    EXPECT_TRUE(found.probes.empty());
    std::string reason;
    provider->explain_absent({"syscall", "", "newstat", "entry"},
                             [&](const std::string&, std::string_view why) { reason = why; });
    EXPECT_EQ(reason, "64-bit Arm has no such system call: programs call newfstatat instead");
}

TEST(OtherMachines, ArgumentsOfFunctionsAreInTheRegistersOfTheMachine)
{
    const AttachPlan entry = plan_pid_probes(arm64::kMachine, PidPoint::Entry, ProcessView::Calls::C, true);
    EXPECT_EQ(entry.arguments[7], (Location{Kind::Register, 7}));
    // the first stack argument is at offset 0, because a call on Arm stores no return address on the stack
    EXPECT_EQ(entry.arguments[8], (Location{Kind::UserMemory, arm64::Sp, 0}));
    const AttachPlan leave = plan_pid_probes(arm64::kMachine, PidPoint::Return, ProcessView::Calls::C, true);
    EXPECT_EQ(leave.return_value, (Location{Kind::Register, 0}));
}

} // namespace
} // namespace dt::probes
