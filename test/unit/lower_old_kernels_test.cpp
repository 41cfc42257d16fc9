// Tests the code for old kernels, which lack features that Linux 5.11 to 5.17 introduced (struct Features).
#include <gtest/gtest.h>

#include <algorithm>

#include "test/support/oldest_features.hpp"
#include "test/unit/lower_run.hpp"

namespace dt::old_kernels {
namespace {

using test::DProgram;

constexpr uint64_t kReadCall = 0, kWriteCall = 1; // numbers of the system calls read(2) and write(2)

DProgram compiled(const std::string& text, const Features& features = test::oldest_features())
{
    auto world = std::make_unique<test::FrozenWorld>();
    world->tried = features;
    return DProgram(text, 2, {}, 0, std::move(world));
}

/// Compiles for a kernel that lacks one feature.
DProgram without(bool Features::*feature, const std::string& text)
{
    Features features;
    features.*feature = false;
    return compiled(text, features);
}

bool fetches(const bpf_insn& insn)
{
    return BPF_CLASS(insn.code) == BPF_STX && BPF_MODE(insn.code) == BPF_ATOMIC && (insn.imm & BPF_FETCH) != 0;
}

bool calls_new_helper(const bpf_insn& insn)
{
    constexpr int kLast = 155; // number of the newest helper function of Linux 5.10
    return insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == 0 && insn.imm > kLast;
}

std::ptrdiff_t count(DProgram& program, bool (*is)(const bpf_insn&))
{
    const auto& code = program.vm().image().code;
    return std::count_if(code.begin(), code.end(), is);
}

dt_losses losses(DProgram& program)
{
    dt_losses found;
    std::memcpy(&found, program.vm().map(DT_MAP_LOSSES)->value(std::vector<uint8_t>(4)).data(), sizeof found);
    return found;
}

/// Returns the first word of a map's only element.
uint64_t& word(DProgram& program, const char* map)
{
    return *reinterpret_cast<uint64_t*>(program.vm().map(map)->value(std::vector<uint8_t>(4)).data());
}

TEST(OldKernels, CompiledCodeContainsNoAtomicInstructionThatFetchesAValue)
{
    const char* const texts[] = {
        "syscall::read:entry { trace(1); }",
        "syscall::read:entry { trace(execname); stack(); }",
        "syscall::read:entry { @ = avg(arg0); } syscall::read:return { @ = avg(arg0); }",
        "syscall::read:entry { commit(1); } syscall::write:entry { discard(1); }",
    };
    for (const char* text : texts) {
        DProgram program = compiled(text);
        ASSERT_EQ(program.problem(), "") << text;
        EXPECT_EQ(count(program, fetches), 0) << text;
    }
}

TEST(OldKernels, CompiledCodeCallsNoHelperThatTheKernelLacks)
{
    const char* const texts[] = {
        "syscall::read:entry { self->n = 1; } syscall::read:return /self->n/ { trace(self->n); self->n = 0; }",
        "syscall::read:entry { trace(ppid); trace(arg1); }",
        "syscall::read:entry { stack(); }",
    };
    for (const char* text : texts) {
        DProgram program = compiled(text);
        ASSERT_EQ(program.problem(), "") << text;
        EXPECT_EQ(count(program, calls_new_helper), 0) << text;
    }
}

TEST(OldKernels, SamplesWithoutMmapRingArriveInThePerfBuffer)
{
    DProgram program = without(&Features::fetching_atomics, "syscall::read:entry { trace(7); }");
    EXPECT_EQ(program.vm().map(DT_MAP_MMAP_RINGS), nullptr);
    EXPECT_EQ(program.fire("sys_enter", {0, kReadCall}).values, std::vector<std::string>{"7"});
}

TEST(OldKernels, ScratchSlotsAreClaimedAndFreed)
{
    DProgram program = without(&Features::fetching_atomics, "syscall::read:entry { trace(strjoin(execname, \"!\")); }");
    for (int i = 0; i < 2 * DT_SLOTS; ++i)
        EXPECT_EQ(program.fire("sys_enter", {0, kReadCall}).values, std::vector<std::string>{"test!"});
}

TEST(OldKernels, IfTheFirstScratchSlotIsInUseAnotherOneIsClaimed)
{
    DProgram program = without(&Features::fetching_atomics, "syscall::read:entry { trace(strjoin(execname, \"!\")); }");
    word(program, DT_MAP_SCRATCH) = 1;
    EXPECT_EQ(program.fire("sys_enter", {0, kReadCall}).values, std::vector<std::string>{"test!"});
    EXPECT_EQ(word(program, DT_MAP_SCRATCH), 1u);
}

TEST(OldKernels, OnlyOneCommitEndsASpeculation)
{
    DProgram program = without(&Features::fetching_atomics, "syscall::read:entry { speculate(1); trace(1); }"
                                                            "syscall::write:entry { commit(1); }");
    auto* const specs = reinterpret_cast<dt_spec*>(program.vm().section(DT_SECTION_SPEC).data());
    specs[1].serial = 5;
    EXPECT_EQ(program.fire("sys_enter", {0, kWriteCall}).values, std::vector<std::string>{"5"});
    EXPECT_EQ(specs[1].serial, 0u);
    EXPECT_EQ(program.fire("sys_enter", {0, kWriteCall}).values, std::vector<std::string>{"0"});
    EXPECT_TRUE(program.vm().map("spec_ends")->keys().empty());
}

TEST(OldKernels, ACommitThatDoesNotGetTheLockEndsNoSpeculation)
{
    DProgram program = without(&Features::fetching_atomics, "syscall::read:entry { speculate(1); trace(1); }"
                                                            "syscall::write:entry { commit(1); }");
    auto* const specs = reinterpret_cast<dt_spec*>(program.vm().section(DT_SECTION_SPEC).data());
    specs[1].serial = 5;
    const std::vector<uint8_t> key = {5, 0, 0, 0, 0, 0, 0, 0};
    program.vm().map("spec_ends")->update(key, key, 0, 0);
    EXPECT_EQ(program.fire("sys_enter", {0, kWriteCall}).values, std::vector<std::string>{"0"});
    EXPECT_EQ(specs[1].serial, 5u);
}

TEST(OldKernels, AnAdditionThatInterruptsAnotherIsCountedAsLost)
{
    DProgram program =
        without(&Features::fetching_atomics,
                "syscall::read:entry { @ = avg(timestamp); } syscall::read:return { @ = avg(timestamp); }");
    program.fire("sys_enter", {0, kReadCall});
    EXPECT_EQ(losses(program).aggregation, 0u);
    word(program, "adding") = 1;
    program.fire("sys_enter", {0, kReadCall});
    EXPECT_EQ(losses(program).aggregation, 1u);
}

TEST(OldKernels, AWakeupDoesNotChangeTheReaderState)
{
    DProgram program = without(&Features::fetching_atomics, "syscall::read:entry { trace(1); }");
    auto* const state = reinterpret_cast<dt_state*>(program.vm().section(DT_SECTION_STATE).data());
    state->reader_state = DT_READER_ASLEEP;
    program.fire("sys_enter", {0, kReadCall});
    EXPECT_EQ(program.vm().map(DT_MAP_WAKEUP)->samples.size(), 1u);
    EXPECT_EQ(state->reader_state, uint64_t{DT_READER_ASLEEP});
    word(program, "waking") = 1;
    program.fire("sys_enter", {0, kReadCall});
    EXPECT_EQ(program.vm().map(DT_MAP_WAKEUP)->samples.size(), 1u);
}

TEST(OldKernels, SharedVariablesAreRefused)
{
    OptionSet options;
    options.put("sharedvars", "n");
    auto world = std::make_unique<test::FrozenWorld>();
    world->tried.fetching_atomics = false;
    DProgram program("BEGIN { n[1] = 1; }", 2, options, 0, std::move(world));
    EXPECT_NE(program.problem().find("Linux 5.12"), std::string::npos) << program.problem();
}

TEST(OldKernels, KeysThatAreTooLongForADigestAreRefused)
{
    for (const char* text :
         {"string s; BEGIN { @n[s, s, s, s, s] = count(); }", "string s; BEGIN { n[s, s, s, s, s] = 1; }"}) {
        OptionSet options;
        options.put("strsize", "64k");
        auto world = std::make_unique<test::FrozenWorld>();
        world->tried.long_keys = false;
        const std::string problem = DProgram(text, 2, options, 0, std::move(world)).problem();
        EXPECT_NE(problem.find("262144"), std::string::npos) << problem;
        EXPECT_EQ(DProgram(text, 2, options).problem(), "");
    }
}

constexpr const char* kSelf = "syscall::read:entry { self->n = 3; } syscall::write:entry { trace(self->n); }";

TEST(OldKernels, ThreadLocalVariablesAreElementsOfAHashMap)
{
    DProgram program = without(&Features::task_storage, kSelf);
    program.fire("sys_enter", {0, kReadCall});
    EXPECT_EQ(program.fire("sys_enter", {0, kWriteCall}).values, std::vector<std::string>{"3"});
    program.vm().environment.task = program.vm().memory().allocate(16384, vm::Kind::Task);
    EXPECT_EQ(program.fire("sys_enter", {0, kWriteCall}).values, std::vector<std::string>{"0"});
}

TEST(OldKernels, ThreadLocalVariablesAreRemovedWhenTheThreadEnds)
{
    DProgram program = without(&Features::task_storage, kSelf);
    program.fire("sys_enter", {0, kReadCall});
    EXPECT_EQ(program.vm().map(DT_MAP_SELF)->keys().size(), 1u);
    program.fire("sched_process_free", {program.vm().environment.task});
    EXPECT_TRUE(program.vm().map(DT_MAP_SELF)->keys().empty());
}

TEST(OldKernels, MembersOfTheCurrentTaskAreCopiedByAHelper)
{
    for (const bool typed : {true, false}) {
        Features features;
        features.current_task_btf = features.task_storage = features.task_pt_regs = typed;
        DProgram program = compiled("syscall::read:entry { trace(ppid); }", features);
        const vm::Kind kind =
            // An address of kind Task may be read by load instructions; one of kind Kernel needs a helper that copies
            // the memory.
            typed ? vm::Kind::Task : vm::Kind::Kernel;
        std::vector<uint8_t> task(128), parent(128);
        const uint64_t at = program.vm().memory().lend(parent, kind);
        std::memcpy(task.data() + 40, &at, sizeof at);
        parent[12] = 77;
        program.vm().environment.task = program.vm().memory().lend(task, kind);
        EXPECT_EQ(program.fire("sys_enter", {0, kReadCall}).values, std::vector<std::string>{"77"});
    }
}

} // namespace
} // namespace dt::old_kernels
