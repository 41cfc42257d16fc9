// Tests the table of system calls and the provider syscall (dtrace-providers(7), syscall).
#include <gtest/gtest.h>

#include <asm/unistd.h>

#include <set>
#include <stdexcept>

#include "machine/x86_64/registers.hpp"
#include "machine/machine.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/unit/probes_sink.hpp"

namespace dt::probes {
namespace {

using Kind = Location::Kind;

std::unique_ptr<Provider> provider(bool newer_calls = true)
{
    static test::FrozenKernel kernels[] = {test::FrozenKernel(false), test::FrozenKernel(true)};
    return make_syscall_provider(kernels[newer_calls]);
}

const machine::SyscallEntry& entry(std::string_view name)
{
    for (const machine::SyscallEntry& candidate : machine::native().syscalls.table())
        if (candidate.name == name)
            return candidate;
    throw std::out_of_range(std::string(name));
}

TEST(SyscallTable, NumbersAndNamesAreUniqueAndInOrder)
{
    std::set<std::string_view> names;
    int64_t last = -1;
    for (const machine::SyscallEntry& call : machine::native().syscalls.table()) {
        EXPECT_TRUE(names.insert(call.name).second) << call.name;
        EXPECT_GT(int64_t{call.number}, last) << call.name;
        EXPECT_LT(call.number, machine::kSyscallBound) << call.name;
        last = call.number;
    }
    EXPECT_EQ(names.size(), 366u);
}

TEST(SyscallTable, NumbersAgreeWithTheHeaders)
{
    EXPECT_EQ(entry("read").number, uint32_t{__NR_read});
    EXPECT_EQ(entry("openat").number, uint32_t{__NR_openat});
    EXPECT_EQ(entry("newfstatat").number, uint32_t{__NR_newfstatat});
    EXPECT_EQ(entry("newuname").number, uint32_t{__NR_uname});
    EXPECT_EQ(entry("umount").number, uint32_t{__NR_umount2});
    EXPECT_EQ(entry("sendfile64").number, uint32_t{__NR_sendfile});
    EXPECT_EQ(entry("rt_sigreturn").number, uint32_t{__NR_rt_sigreturn});
    EXPECT_EQ(entry("set_mempolicy_home_node").number, uint32_t{__NR_set_mempolicy_home_node});
}

TEST(SyscallTable, ParametersHaveTheCTypesOfTheKernel)
{
    EXPECT_EQ(entry("getpid").parameter_count(), 0u);
    const machine::SyscallEntry& write = entry("write");
    ASSERT_EQ(write.parameter_count(), 3u);
    EXPECT_EQ(write.parameters[0], "unsigned int");
    EXPECT_EQ(write.parameters[1], "const char *");
    EXPECT_EQ(write.parameters[2], "size_t");
    EXPECT_EQ(entry("mmap").parameter_count(), 6u);
    EXPECT_TRUE(machine::is_user_pointer(write.parameters[1]));
    EXPECT_TRUE(machine::is_user_pointer("cap_user_header_t"));
    EXPECT_FALSE(machine::is_user_pointer(write.parameters[2]));
}

TEST(SyscallTable, AliasesAreReplacedByTheKernelsNames)
{
    EXPECT_EQ(machine::native().syscalls.canonical("stat"), "newstat");
    EXPECT_EQ(machine::native().syscalls.canonical("umount2"), "umount");
    EXPECT_EQ(machine::native().syscalls.canonical("uname"), "newuname");
    EXPECT_EQ(machine::native().syscalls.canonical("read"), "read");
    for (const char* alias : {"stat", "fstat", "lstat", "uname", "sendfile", "umount2"})
        EXPECT_NO_THROW(entry(machine::native().syscalls.canonical(alias)));
}

TEST(SyscallProvider, APatternForAnAliasMatchesTheKernelsName)
{
    EXPECT_EQ(provider()->canonical({"syscall", "", "lstat", "entry"}).function, "newlstat");
    EXPECT_EQ(provider()->canonical({"syscall", "", "*stat", "entry"}).function, "*stat");
}

/// Returns the location of a word in the saved registers, to which the tracepoint's first argument points.
Location user_register(uint32_t word)
{
    Location location{Kind::UserRegister, word};
    location.of = {Location{Kind::ContextWord, 0}};
    return location;
}

TEST(SyscallProvider, EntryArgumentsAreTheSixRegisters)
{
    const auto plan = plan_of(*provider(), {"syscall", "", "write", "entry"});
    const uint32_t words[] = {14, 13, 12, 7, 9, 8};   // words of pt_regs that hold di, si, dx, r10, r8 and r9
    const uint32_t narrow[] = {5, 11, 12, 13, 14, 4}; // words of pt_regs that hold bx, cx, dx, si, di and bp
    for (std::size_t i = 0; i < 6; ++i) {
        Location expected = user_register(words[i]);
        expected.kind = Kind::CallArgument;
        expected.scaled = narrow[i];
        EXPECT_EQ(plan->arguments[i], expected);
    }
    EXPECT_EQ(plan->targets.at(0).where, "sys_enter");
    EXPECT_EQ(plan->selector, (Location{Kind::ContextWord, 1}));
    EXPECT_EQ(plan->selector_bound, 1024u);
    EXPECT_EQ(plan->return_value.kind, Kind::Zero);
}

/// A program that serves several probes selects the fired one by a number, the selector. Returns the selector for this
/// system call number of 32-bit programs.
uint32_t meant(uint32_t number)
{
    return plan_of(*provider(), {"syscall", "", "write", "entry"})->compat_syscalls->selectors.at(number);
}

TEST(SyscallProvider, CallsOfThirtyTwoBitProgramsAreMatchedByName)
{
    EXPECT_EQ(meant(4), entry("write").number);
    EXPECT_EQ(meant(64), entry("getppid").number);
    EXPECT_EQ(meant(106), entry("newstat").number);
    EXPECT_EQ(meant(52), entry("umount").number);
    EXPECT_EQ(meant(435), entry("clone3").number);
}

TEST(SyscallProvider, CallsThatExistOnlyInThirtyTwoBitProgramsHaveSeparateProbes)
{
    EXPECT_EQ(meant(102), machine::kSyscallBound + 102);
    EXPECT_EQ(meant(17), CompatSyscalls::kNoProbe); // number 17 is break(2), which Linux does not implement
    TestSink sink;
    ASSERT_TRUE(provider()->match({"syscall", "", "socketcall", "entry"}, sink));
    EXPECT_TRUE(sink.probes.empty());
}

TEST(SyscallTable, NumbersOfThirtyTwoBitProgramsAreInOrder)
{
    int64_t last = -1;
    for (const machine::NarrowSyscall& call : machine::native().syscalls.narrow_table()) {
        EXPECT_GT(int64_t{call.number}, last) << call.name;
        EXPECT_LT(call.number, machine::kSameSyscalls) << call.name;
        last = call.number;
    }
}

TEST(SyscallProvider, PointerParametersPointToUserMemory)
{
    TestSink sink;
    ASSERT_TRUE(provider()->match({"syscall", "", "write", "entry"}, sink));
    ASSERT_EQ(sink.probes.size(), 1u);
    EXPECT_EQ(sink.probes[0].module, "vmlinux");
    const ProbeSignature signature = provider()->signature(sink.probes[0]);
    ASSERT_EQ(signature.arguments.size(), 3u);
    EXPECT_EQ(signature.arguments[1].native, "const char *");
    EXPECT_TRUE(signature.arguments[1].userland);
    EXPECT_EQ(signature.arguments[2].mapping, 2u);
    EXPECT_TRUE(signature.overridable);
}

TEST(SyscallProvider, TheReturnProbeHasTheResultAsArg0AndArg1)
{
    TestSink sink;
    ASSERT_TRUE(provider()->match({"syscall", "", "write", "return"}, sink));
    const ProbeSignature signature = provider()->signature(sink.probes.at(0));
    EXPECT_EQ(signature.arguments.size(), 2u);
    EXPECT_EQ(signature.arguments[0].native, "long");
    EXPECT_FALSE(signature.overridable);
    const auto plan = plan_of(*provider(), {"syscall", "", "write", "return"});
    const Location value{Kind::ContextWord, 1};
    EXPECT_EQ(plan->arguments[0], value);
    EXPECT_EQ(plan->arguments[1], value);
    EXPECT_EQ(plan->return_value, value);
    EXPECT_EQ(plan->selector, user_register(15));
}

TEST(SyscallProvider, EntriesShareOneAttachPlanAndReturnsShareAnother)
{
    TestSink sink;
    ASSERT_TRUE(provider()->match({}, sink));
    std::vector<const Probe*> probes;
    for (const Probe& probe : sink.probes)
        probes.push_back(&probe);
    EXPECT_EQ(probes.size(), 2 * machine::native().syscalls.table().size());
    const auto plans = provider()->plan(probes, {}, {});
    ASSERT_EQ(plans.size(), 2u);
    EXPECT_EQ(plans[0]->probes.size(), machine::native().syscalls.table().size());
}

TEST(SyscallProvider, CallsWhoseResultIsOverriddenHaveASeparatePlan)
{
    const auto plan = plan_of(*provider(), {"syscall", "", "write", "entry"}, {.overrides = true});
    EXPECT_EQ(plan->kind, ProgramKind::Kprobe);
    EXPECT_EQ(plan->targets.at(0).where, "__x64_sys_write");
    EXPECT_FALSE(plan->selector);
    EXPECT_TRUE(plan->overrides);
}

TEST(SyscallProvider, NewerCallsExistOnlyOnKernelsWithThem)
{
    TestSink sink;
    ASSERT_TRUE(provider(false)->match({"syscall", "", "", "entry"}, sink));
    EXPECT_EQ(sink.named("mseal", "entry"), nullptr);
    EXPECT_EQ(sink.named("uretprobe", "entry"), nullptr);
    EXPECT_NE(sink.named("read", "entry"), nullptr);
}

TEST(SyscallProvider, CallNumbersWithoutANameHaveProbesIfRequested)
{
    TestSink sink;
    ASSERT_TRUE(provider()->match({"syscall", "", "syscall_500", "entry"}, sink));
    ASSERT_EQ(sink.probes.size(), 1u);
    EXPECT_EQ(sink.probes[0].place, 1000u);
    for (const char* name : {"syscall_0", "syscall_512", "syscall_0500", "syscall_x", "syscall_"})
        ASSERT_TRUE(provider()->match({"syscall", "", name, "entry"}, sink));
    EXPECT_EQ(sink.probes.size(), 1u);
}

TEST(SyscallProvider, ModulesAndNamesOfOtherProvidersMatchNothing)
{
    TestSink sink;
    ASSERT_TRUE(provider()->match({"syscall", "libc", "", ""}, sink));
    ASSERT_TRUE(provider()->match({"syscall", "", "", "start"}, sink));
    EXPECT_TRUE(sink.probes.empty());
}

} // namespace
} // namespace dt::probes
