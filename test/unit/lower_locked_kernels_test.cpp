// Tests the code for locked-down kernels, which forbid helpers that read kernel memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "test/unit/lower_run.hpp"

namespace dt::locked_kernels {
namespace {

using test::DProgram;
using testing::ElementsAre;
using testing::HasSubstr;

DProgram compiled(const std::string& text)
{
    auto world = std::make_unique<test::FrozenWorld>();
    world->tried.kernel_reads = false;
    return DProgram(text, 2, {}, 0, std::move(world));
}

bool reads_kernel(const bpf_insn& insn)
{
    return insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == 0 &&
           (insn.imm == BPF_FUNC_probe_read_kernel || insn.imm == BPF_FUNC_probe_read_kernel_str);
}

/// A current thread with pid 77 and name "worker", whose parent has the process id 88.
class Thread {
public:
    explicit Thread(DProgram& program) : task_(128), parent_(128)
    {
        const uint64_t at = program.vm().memory().lend(parent_, vm::Kind::Task);
        std::memcpy(task_.data() + 40, &at, sizeof at);
        std::memcpy(task_.data() + 16, "worker", 7);
        task_[8] = 77;
        parent_[12] = 88;
        program.vm().environment.task = program.vm().memory().lend(task_, vm::Kind::Task);
    }

private:
    std::vector<uint8_t> task_, parent_;
};

TEST(LockedKernels, CompiledCodeCallsNoHelperThatReadsKernelMemory)
{
    const char* const texts[] = {
        "syscall::read:entry { trace(execname); stack(); ustack(); }",
        "syscall::read:entry { trace(strjoin(execname, basename(copyinstr(arg1)))); }",
        "syscall::read:entry { @[execname, stack()] = count(); self->s = execname; }",
        "syscall::read:entry /progenyof(7)/ { trace(curthread->real_parent->tgid); }",
    };
    for (const char* text : texts) {
        DProgram program = compiled(text);
        ASSERT_EQ(program.problem(), "") << text;
        const auto& code = program.vm().image().code;
        EXPECT_EQ(std::count_if(code.begin(), code.end(), reads_kernel), 0) << text;
    }
}

TEST(LockedKernels, MembersOfTheCurrentThreadAreReadByLoadInstructions)
{
    DProgram program = compiled("BEGIN { trace(curthread->pid); trace(curthread->real_parent->tgid); }");
    ASSERT_EQ(program.problem(), "");
    const Thread thread(program);
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("77", "88"));
}

TEST(LockedKernels, CharacterArraysOfKernelObjectsAreReadAsStrings)
{
    DProgram program = compiled("BEGIN { trace(stringof(curthread->comm)); }");
    ASSERT_EQ(program.problem(), "");
    const Thread thread(program);
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("worker"));
}

TEST(LockedKernels, StringLiteralsOfTheProgramAreCopied)
{
    DProgram program = compiled("BEGIN { this->s = \"0123456789012345678901234567890123456789\"; "
                                "trace(this->s); trace(strjoin(this->s, \"!\")); }");
    ASSERT_EQ(program.problem(), "");
    EXPECT_THAT(program.fire("BEGIN").values,
                ElementsAre("0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789!"));
}

TEST(LockedKernels, AVariableCanStoreAPointerToAKernelStructure)
{
    DProgram program = compiled("BEGIN { this->t = curthread->real_parent; @ = count(); trace(this->t->tgid); }");
    ASSERT_EQ(program.problem(), "");
    const Thread thread(program);
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("88"));
}

TEST(LockedKernels, AVariableOfALongClauseCanStoreAPointerToAKernelObject)
{
    std::string keys = "pid";
    for (int i = 0; i < 12; ++i)
        keys += ", strjoin(execname, \"" + std::to_string(i) + "\")";
    DProgram program =
        compiled("BEGIN { this->t = curthread->real_parent; @[" + keys + "] = count(); trace(this->t->tgid); }");
    ASSERT_EQ(program.problem(), "");
    const Thread thread(program);
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("88"));
}

TEST(LockedKernels, AReadWithoutTypeIsAcceptedInABranchThatNeverRuns)
{
    DProgram program =
        compiled("BEGIN { this->n = 1; trace(this->n == 1 ? curthread->pid : *(int *)curthread->owner); }");
    ASSERT_EQ(program.problem(), "");
    const Thread thread(program);
    EXPECT_THAT(program.fire("BEGIN").values, ElementsAre("77"));
}

TEST(LockedKernels, AReadWithoutTypeIsRefusedAndTheErrorNamesTheMember)
{
    DProgram program = compiled("syscall::read:entry { trace(*(int *)curthread->owner); }");
    EXPECT_THAT(program.problem(), HasSubstr("locked down (lockdown=confidentiality) and lets no program read"));
    EXPECT_THAT(program.problem(), HasSubstr("struct task_struct.owner"));
}

} // namespace
} // namespace dt::locked_kernels
