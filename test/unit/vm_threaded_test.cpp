// Tests the executor for threaded code: which programs use it, and direct calls of entry points. Other suites run with
// each executor, and test/fuzz/executors check the single operations.
#include <gtest/gtest.h>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/unit/vm_assembler.hpp"

namespace {

using namespace dt::vm;
using namespace dt::vm::assembler;

/// Returns a filter for word > 1000, with the instructions that compilers emit.
Code a_filter()
{
    return {load(BPF_DW, R1, R1, 8), mov(R0, 1), jump(BPF_JSGT, R1, 1000, 1), mov(R0, 0), leave()};
}

TEST(ThreadedCode, IsUsedForProgramsThatAreProvenSafe)
{
    VirtualMachine vm(image(a_filter()));
    EXPECT_EQ(vm.executor(), Executor::Checked);
    ASSERT_TRUE(vm.compile(Executor::Threaded).ok());
    EXPECT_EQ(vm.executor(), Executor::Threaded);
    ASSERT_TRUE(vm.compile().ok());
    EXPECT_EQ(vm.executor(), VirtualMachine::can_compile() ? Executor::Native : Executor::Threaded);
}

TEST(ThreadedCode, IsNotUsedForProgramsThatAreNotProvenSafe)
{
    VirtualMachine vm(image({call_local(-1), leave()}));
    EXPECT_FALSE(vm.compile(Executor::Threaded).ok());
    EXPECT_EQ(vm.executor(), Executor::Checked);
}

/// Called in a child process. The process gives up the right to create executable memory and then runs a program.
/// Returns the exit status for the process.
int without_executable_memory()
{
    constexpr int kSetMdwe = 65; // the constants PR_SET_MDWE and PR_MDWE_REFUSE_EXEC_GAIN
    if (prctl(kSetMdwe, 1, 0, 0, 0) != 0)
        return 77;
    VirtualMachine vm(image(a_filter()));
    if (!vm.compile().ok() || vm.executor() != Executor::Threaded)
        return 1;
    const auto entry = vm.entry("f");
    const int64_t event[] = {0, 1001};
    return entry.ok() && entry.value()(event, sizeof event) == 1 ? 0 : 2;
}

TEST(ThreadedCode, RunsWithoutExecutableMemory)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(without_executable_memory());
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        GTEST_SKIP() << "the kernel cannot forbid it";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(ThreadedCode, AnEntryPointIsCalledDirectly)
{
    VirtualMachine vm(image(a_filter()));
    ASSERT_TRUE(vm.compile(Executor::Threaded).ok());
    const auto entry = vm.entry("f");
    ASSERT_TRUE(entry.ok());
    const int64_t passes[] = {0, 1001}, fails[] = {5000, 1000};
    EXPECT_EQ(entry.value()(passes, sizeof passes), 1u);
    EXPECT_EQ(entry.value()(fails, sizeof fails), 0u);
    EXPECT_EQ(entry.value()(passes, 8), 0u); // the context lacks its second word
    ASSERT_TRUE(vm.failed());
    EXPECT_NE(vm.error().message.find("load of 8 bytes"), std::string::npos);
    EXPECT_EQ(entry.value()(passes, sizeof passes), 1u);
}

TEST(ThreadedCode, AMaskedLoadIsComparedWithAllItsBits)
{
    // A filter for (w & 0xffffff) == 0x6f6c && (int8_t)b == -1.
    const Code code = {mov(R0, 0),
                       load(BPF_W, R2, R1, 0),
                       alu(BPF_AND, R2, 0xffffff),
                       jump(BPF_JNE, R2, 0x6f6c, 4),
                       load(BPF_DW, R3, R1, 8),
                       mov(R0, 1),
                       jump(BPF_JEQ, R3, -1, 1),
                       mov(R0, 0),
                       leave()};
    VirtualMachine vm(image(code));
    ASSERT_TRUE(vm.compile(Executor::Threaded).ok());
    const auto entry = vm.entry("f");
    uint64_t words[] = {0xabcdef0100006f6c, ~uint64_t{0}};
    EXPECT_EQ(entry.value()(words, sizeof words), 1u);
    words[1] = 0xffffffff;
    EXPECT_EQ(entry.value()(words, sizeof words), 0u);
    words[0] = 0x6f6d;
    EXPECT_EQ(entry.value()(words, sizeof words), 0u);
}

} // namespace
