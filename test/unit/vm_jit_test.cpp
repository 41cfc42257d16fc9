// Tests the JIT compiler: which programs it accepts and refuses, its entry points, and that its checks equal those of
// the interpreter.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "engine/vm/jit.hpp"
#include "test/unit/lower_run.hpp"
#include "test/unit/vm_assembler.hpp"

namespace {

using namespace dt::vm;
using namespace dt::vm::assembler;

struct Jit : testing::Test {
    void SetUp() override
    {
        if (!VirtualMachine::can_compile())
            GTEST_SKIP() << "no compiler for this processor";
    }
};

std::string why_not(Image image)
{
    VirtualMachine vm(std::move(image));
    const auto compiled = vm.compile();
    EXPECT_EQ(compiled.ok(), vm.executor() != Executor::Checked);
    return compiled.ok() ? "" : compiled.error().message;
}

/// Instruction count and result of a program, from the interpreter (first) and from the compiled code (second).
struct Both {
    uint64_t results[2] = {0, 0}, executed[2] = {0, 0};
    std::string errors[2];
};
Both both(const Image& image, std::span<const uint8_t> context = {}, uint64_t budget = 1'000'000)
{
    Both both;
    for (const int compiled : {0, 1}) {
        VirtualMachine vm(image);
        vm.budget = budget;
        if (compiled) {
            EXPECT_TRUE(vm.compile().ok());
        }
        const auto r = vm.run("f", context);
        both.results[compiled] = r.ok() ? r.value() : 0;
        both.errors[compiled] = r.ok() ? "" : r.error().message;
        both.executed[compiled] = vm.executed();
    }
    return both;
}

TEST_F(Jit, ProgramsThatCannotBeProvenSafeAreRefused)
{
    EXPECT_NE(why_not(image({call_local(-1), leave()})), "");
    // Register r3 is read after two paths, of which only one writes it.
    EXPECT_NE(why_not(image({load(BPF_DW, R2, R1, 0), jump(BPF_JEQ, R2, 0, 1), mov(R3, 1), mov_reg(R0, R3), leave()}))
                  .find("R3"),
              std::string::npos);
    // The callback argument of the helper is a number instead of a function.
    EXPECT_NE(why_not(image({mov(R1, 1), mov(R2, 5), mov(R3, 0), mov(R4, 0), helper(BPF_FUNC_loop), leave()}))
                  .find("callback"),
              std::string::npos);
}

TEST_F(Jit, RefusedProgramsAreInterpreted)
{
    VirtualMachine vm(image({load(BPF_DW, R2, R1, 0), mov(R0, 5), jump(BPF_JEQ, R2, 0, 1), mov(R3, 1),
                             jump(BPF_JNE, R2, 0, 1), leave(), mov_reg(R0, R3), leave()}));
    EXPECT_FALSE(vm.compile().ok());
    const uint64_t zero = 0;
    EXPECT_EQ(vm.run("f", {reinterpret_cast<const uint8_t*>(&zero), 8}).value(), 5u);
}

TEST_F(Jit, TheInstructionLimitIsReachedWhereTheInterpreterReachesIt)
{
    // A loop of 10 rounds takes 1 + 10 * 2 + 1 instructions.
    const Image loop = image({mov(R0, 0), alu(BPF_ADD, R0, 1), jump(BPF_JNE, R0, 10, -2), leave()});
    const Both enough = both(loop, {}, 22), short_of_one = both(loop, {}, 21);
    EXPECT_EQ(enough.errors[1], "");
    EXPECT_EQ(enough.executed[1], 22u);
    EXPECT_EQ(enough.executed[0], 22u);
    EXPECT_NE(short_of_one.errors[0].find("more than 21"), std::string::npos);
    EXPECT_NE(short_of_one.errors[1].find("more than 21"), std::string::npos);
}

TEST_F(Jit, AnEntryPointReadsItsContextInPlace)
{
    VirtualMachine vm(image({load(BPF_W, R0, R1, 4), leave()}));
    ASSERT_TRUE(vm.compile().ok());
    const auto entry = vm.entry("f");
    ASSERT_TRUE(entry.ok());
    uint32_t words[] = {1, 2};
    EXPECT_EQ(entry.value()(words, sizeof words), 2u);
    words[1] = 7;
    EXPECT_EQ(entry.value()(words, sizeof words), 7u);
    EXPECT_FALSE(vm.failed());
    EXPECT_EQ(entry.value()(words, 4), 0u); // the context lacks its second word
    ASSERT_TRUE(vm.failed());
    EXPECT_NE(vm.error().message.find("load of 4 bytes"), std::string::npos);
    EXPECT_EQ(entry.value()(words, sizeof words), 7u);
    EXPECT_FALSE(vm.failed());
    EXPECT_FALSE(vm.entry("g").ok());
}

TEST_F(Jit, ACallOfAFunctionThatCannotFailClearsAnEarlierFailure)
{
    // Function f fails if the context word is 0. Function g cannot fail.
    Image made = image({load(BPF_DW, R2, R1, 0), jump(BPF_JNE, R2, 0, 1), load(BPF_DW, R2, R2, 0), mov(R0, 1), leave(),
                        mov(R0, 2), leave()});
    made.functions[0].count = 5;
    made.functions.push_back({"g", "test", 5, 2});
    VirtualMachine vm(std::move(made));
    ASSERT_TRUE(vm.compile().ok());
    const auto f = vm.entry("f"), g = vm.entry("g");
    const uint64_t zero = 0;
    EXPECT_EQ(f.value()(&zero, 8), 0u);
    EXPECT_TRUE(vm.failed());
    EXPECT_EQ(g.value()(nullptr, 0), 2u);
    EXPECT_FALSE(vm.failed());
    EXPECT_EQ(g.value()(nullptr, 0), 2u);
}

TEST_F(Jit, AnEntryPointKeepsTheInstructionLimitOfItsCreation)
{
    VirtualMachine vm(image({mov(R0, 1), alu(BPF_ADD, R0, 1), leave()}));
    ASSERT_TRUE(vm.compile().ok());
    vm.budget = 2;
    const auto entry = vm.entry("f");
    (void)entry.value()(nullptr, 0);
    ASSERT_TRUE(vm.failed());
    EXPECT_NE(vm.error().message.find("more than 2"), std::string::npos);
}

TEST_F(Jit, TheEnvironmentIsReadAgainInEachCall)
{
    VirtualMachine vm(image({mov(R0, 0), mov_reg(R6, R0), helper(BPF_FUNC_get_current_pid_tgid), mov_reg(R6, R0),
                             helper(BPF_FUNC_get_current_uid_gid), alu_reg(BPF_XOR, R0, R6), leave()}));
    ASSERT_TRUE(vm.compile().ok());
    const auto entry = vm.entry("f");
    vm.environment.pid = 7;
    vm.environment.tid = 8;
    vm.environment.uid = 0x100;
    vm.environment.gid = 0x200;
    EXPECT_EQ(entry.value()(nullptr, 0), 0x0000'0207'0000'0108u);
    vm.environment.tid = 9;
    EXPECT_EQ(entry.value()(nullptr, 0), 0x0000'0207'0000'0109u);
}

TEST_F(Jit, AStackByteThatOnlySomePathsWriteIsChecked)
{
    const Image made = image({load(BPF_DW, R2, R1, 0), jump(BPF_JEQ, R2, 0, 1), store_imm(BPF_DW, R10, -8, 6),
                              load(BPF_DW, R0, R10, -8), leave()});
    const uint64_t zero = 0, one = 1;
    const Both never = both(made, {reinterpret_cast<const uint8_t*>(&zero), 8}),
               did = both(made, {reinterpret_cast<const uint8_t*>(&one), 8});
    EXPECT_NE(never.errors[1], "");
    EXPECT_EQ(never.errors[1], never.errors[0]);
    EXPECT_EQ(did.results[1], 6u);
}

TEST_F(Jit, StackBytesOfThePreviousRunCountAsUnwritten)
{
    VirtualMachine vm(image({load(BPF_DW, R2, R1, 0), jump(BPF_JEQ, R2, 0, 1), store_imm(BPF_DW, R10, -8, 6),
                             load(BPF_DW, R0, R10, -8), leave()}));
    ASSERT_TRUE(vm.compile().ok());
    const auto entry = vm.entry("f");
    uint64_t word = 1;
    EXPECT_EQ(entry.value()(&word, 8), 6u);
    word = 0;
    (void)entry.value()(&word, 8);
    EXPECT_TRUE(vm.failed());
}

TEST_F(Jit, APointerOnTheStackMayBeOverwrittenThroughAnotherPointer)
{
    // f stores a pointer to a section on the stack and passes the address of that slot to g. g overwrites the slot with
    // 16, so that f's load through the pointer must fail.
    Image made = image(join({reference(R1, BPF_PSEUDO_MAP_VALUE, 0),
                             {store(BPF_DW, R10, -8, R1), mov_reg(R1, R10), alu(BPF_ADD, R1, -8), call_local(3),
                              load(BPF_DW, R2, R10, -8), load(BPF_DW, R0, R2, 0), leave()},
                             // code of function g
                             {store_imm(BPF_DW, R1, 0, 16), mov(R0, 0), leave()}}));
    made.sections.push_back({".data", {1, 2, 3, 4, 5, 6, 7, 8}, true});
    const Both r = both(made);
    EXPECT_NE(r.errors[0].find("at 0x10: no memory is there"), std::string::npos);
    EXPECT_EQ(r.errors[1], r.errors[0]);
}

TEST_F(Jit, BoundsOfAnIndexProveAnAccess)
{
    // Each program loads section[index]. The index is masked, compared with a limit, or unbounded.
    const Code masked = join({{load(BPF_DW, R2, R1, 0), alu(BPF_AND, R2, 7)},
                              reference(R3, BPF_PSEUDO_MAP_VALUE, 0),
                              {alu_reg(BPF_ADD, R3, R2), load(BPF_B, R0, R3, 0), leave()}});
    const Code compared = join({{load(BPF_DW, R2, R1, 0), mov(R0, 0), jump(BPF_JGT, R2, 7, 4)},
                                reference(R3, BPF_PSEUDO_MAP_VALUE, 0),
                                {alu_reg(BPF_ADD, R3, R2), load(BPF_B, R0, R3, 0), leave()}});
    const Code unbounded = join({{load(BPF_DW, R2, R1, 0)},
                                 reference(R3, BPF_PSEUDO_MAP_VALUE, 0),
                                 {alu_reg(BPF_ADD, R3, R2), load(BPF_B, R0, R3, 0), leave()}});
    const auto run = [](const Code& code, uint64_t index) {
        Image made = image(code);
        made.sections.push_back({".rodata", {10, 11, 12, 13, 14, 15, 16, 17}, false});
        return both(made, {reinterpret_cast<const uint8_t*>(&index), 8});
    };
    EXPECT_EQ(run(masked, 8 + 3).results[1], 13u);
    EXPECT_EQ(run(compared, 3).results[1], 13u);
    EXPECT_EQ(run(compared, ~uint64_t{0}).results[1], 0u);
    EXPECT_EQ(run(unbounded, 7).results[1], 17u);
    EXPECT_NE(run(unbounded, 8).errors[1], "");
}

TEST_F(Jit, PointersAreDereferencedOnlyAfterANullTest)
{
    // Only one of two paths compares the pointer with null. After both paths, it is dereferenced.
    const Code code = join({{mov_reg(R6, R1), store_imm(BPF_DW, R10, -8, 9), mov_reg(R2, R10), alu(BPF_ADD, R2, -8)},
                            reference(R1, BPF_PSEUDO_MAP_FD, 0),
                            {helper(BPF_FUNC_map_lookup_elem), load(BPF_DW, R1, R6, 0), jump(BPF_JEQ, R1, 0, 2),
                             jump(BPF_JNE, R0, 0, 1), leave(), load(BPF_DW, R0, R0, 0), leave()}});
    Image made = image(code);
    made.maps.push_back({"m", BPF_MAP_TYPE_HASH, 8, 8, 4, 0});
    const uint64_t zero = 0, one = 1;
    const Both bad = both(made, {reinterpret_cast<const uint8_t*>(&zero), 8}),
               good = both(made, {reinterpret_cast<const uint8_t*>(&one), 8});
    EXPECT_NE(bad.errors[1].find("at 0x0: no memory is there"), std::string::npos);
    EXPECT_EQ(bad.errors[1], bad.errors[0]);
    EXPECT_EQ(good.errors[1], "");
}

TEST_F(Jit, AnAccessOutsideAMapValueIsDetected)
{
    const Code code =
        join({{mov_reg(R6, R1), store_imm(BPF_DW, R10, -8, 0), mov_reg(R2, R10), alu(BPF_ADD, R2, -8)},
              reference(R1, BPF_PSEUDO_MAP_FD, 0),
              {helper(BPF_FUNC_map_lookup_elem), jump(BPF_JNE, R0, 0, 1), leave(), load(BPF_DW, R2, R6, 0),
               alu_reg(BPF_ADD, R0, R2), store_imm(BPF_DW, R0, 0, 5), load(BPF_DW, R0, R0, 0), leave()}});
    Image made = image(code);
    made.maps.push_back({"m", BPF_MAP_TYPE_ARRAY, 4, 16, 1, 0});
    for (const auto& [index, ends] : {std::pair{uint64_t{0}, false}, std::pair{uint64_t{8}, false},
                                      std::pair{uint64_t{9}, true}, std::pair{~uint64_t{0}, true}}) {
        const Both stored = both(made, {reinterpret_cast<const uint8_t*>(&index), 8});
        EXPECT_EQ(stored.errors[0] != "", ends);
        EXPECT_EQ(stored.errors[1] != "", ends);
        EXPECT_EQ(stored.results[1], ends ? 0u : 5u);
    }
}

TEST_F(Jit, ThirtyTwoBitShiftsClearTheUpperHalfForEveryCount)
{
    for (const int op : {BPF_LSH, BPF_RSH, BPF_ARSH}) {
        EXPECT_EQ(both(image(join({wide(R0, 0x1122334455667788), {alu32(op, R0, 0), leave()}}))).results[1],
                  0x55667788u);
        EXPECT_EQ(
            both(image(join({wide(R0, 0x1122334455667788), {mov(R4, 32), alu32_reg(op, R0, R4), leave()}}))).results[1],
            0x55667788u);
    }
    EXPECT_EQ(both(image(join({wide(R0, 0x1122334455667788), {alu32(BPF_DIV, R0, 1), leave()}}))).results[1],
              0x55667788u);
}

TEST_F(Jit, ShiftsAndDivisionsWorkForEveryPairOfRegisters)
{
    // Each register has a different number, and the result combines all registers, so that a lost register is detected.
    for (const int op : {BPF_LSH, BPF_RSH, BPF_ARSH, BPF_DIV, BPF_MOD, BPF_MUL, BPF_ADD, BPF_XOR})
        for (uint8_t to = 0; to < 10; ++to)
            for (uint8_t from = 0; from < 10; ++from)
                for (const bool narrow : {false, true}) {
                    Code code;
                    for (uint8_t r = 0; r < 10; ++r)
                        code = join({code, wide(r, 0x9e3779b97f4a7c15 * (r + 3u) >> (r * 5u % 50))});
                    code.push_back(narrow ? alu32_reg(op, to, from) : alu_reg(op, to, from));
                    for (uint8_t r = 1; r < 10; ++r)
                        code = join({code, {alu(BPF_MUL, R0, 31), alu_reg(BPF_ADD, R0, r)}});
                    code.push_back(leave());
                    const Both r = both(image(code));
                    ASSERT_EQ(r.results[0], r.results[1])
                        << op << " R" << int{to} << " R" << int{from} << (narrow ? " narrow" : "");
                }
}

TEST_F(Jit, LoadsAndStoresOfEveryWidthWorkForEveryRegister)
{
    for (const int size : {BPF_B, BPF_H, BPF_W, BPF_DW})
        for (uint8_t base = 0; base < 10; ++base)
            for (uint8_t value = 0; value < 10; ++value) {
                if (base == value)
                    continue;
                const Image made =
                    image(join({{store_imm(BPF_DW, R10, -8, -1), mov_reg(base, R10), alu(BPF_ADD, base, -16)},
                                wide(value, 0x8182838485868788),
                                {store(size, base, 8, value), store_imm(size, base, 0, -3), load(size, value, base, 8),
                                 load(BPF_DW, R0, R10, -8), alu(BPF_MUL, R0, 7)}}));
                Image ended = made;
                ended.code.push_back(leave());
                ended.functions[0].count = static_cast<uint32_t>(ended.code.size());
                const Both r = both(ended);
                ASSERT_EQ(r.errors[0], "");
                ASSERT_EQ(r.results[0], r.results[1]) << size << " R" << int{base} << " R" << int{value};
            }
}

TEST_F(Jit, AtomicOperationsThatFetchWorkForEveryRegister)
{
    for (const int op :
         {BPF_ADD | BPF_FETCH, BPF_OR | BPF_FETCH, BPF_AND | BPF_FETCH, BPF_XOR | BPF_FETCH, BPF_XCHG, BPF_CMPXCHG})
        for (const int size : {BPF_W, BPF_DW})
            for (uint8_t value = 0; value < 10; ++value) {
                const Image made =
                    image(join({wide(R0, 0xf0f0f0f0f0f0f0f0),
                                {store(BPF_DW, R10, -8, R0)},
                                wide(value, 0x123456789abcdef0),
                                {atomic(size, op, R10, -8, value), mov_reg(R6, value), alu_reg(BPF_XOR, R0, R6),
                                 load(BPF_DW, R7, R10, -8), alu(BPF_MUL, R0, 3), alu_reg(BPF_ADD, R0, R7), leave()}}));
                const Both r = both(made);
                ASSERT_EQ(r.errors[0], "");
                ASSERT_EQ(r.results[0], r.results[1]) << op << " R" << int{value};
            }
}

/// Results for a context of two words: from the compiled entry point, and from the interpreter.
struct Asked {
    uint64_t entry = 0, interpreter = 0;
};
Asked ask(const Image& image, uint64_t first, uint64_t second)
{
    const uint64_t words[] = {first, second};
    VirtualMachine compiled(image), interpreted(image);
    EXPECT_TRUE(compiled.compile().ok());
    const auto result = interpreted.run("f", {reinterpret_cast<const uint8_t*>(words), sizeof words});
    EXPECT_TRUE(result.ok());
    return {compiled.entry("f").value()(words, sizeof words), result.ok() ? result.value() : 0};
}

TEST_F(Jit, ASelectionBetweenConstantsIsCorrectForEveryCondition)
{
    const std::pair<int, int> constants[] = {{1, 0}, {0, 1}, {-1, 0}, {7, -3}};
    const std::pair<uint64_t, uint64_t> words[] = {{1, 2}, {2, 2}, {~uint64_t{0}, 2}, {1, uint64_t{1} << 32}};
    for (const int op :
         {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE, BPF_JSET})
        for (const auto& test :
             {jump_reg(op, R2, R3, 1), jump32_reg(op, R2, R3, 1), jump(op, R2, 2, 1), jump(op, R2, 0, 1)})
            for (const auto& [jumped, fell] : constants)
                for (const auto& [first, second] : words) {
                    const Image made = image({load(BPF_DW, R2, R1, 0), load(BPF_DW, R3, R1, 8), mov(R0, jumped), test,
                                              mov(R0, fell), leave()});
                    const Asked asked = ask(made, first, second);
                    ASSERT_EQ(asked.entry, asked.interpreter)
                        << op << ' ' << jumped << ' ' << fell << ' ' << first << ' ' << second;
                }
}

TEST_F(Jit, ASelectionBetweenConstantsWorksInEveryRegister)
{
    for (uint8_t to = 0; to < 10; ++to)
        for (const int fell : {0, 5})
            for (const uint64_t word : {4, 6}) {
                const uint8_t from = to == R2 ? R3 : R2;
                const Asked asked = ask(image({load(BPF_DW, from, R1, 0), mov(to, 1), jump(BPF_JGT, from, 5, 1),
                                               alu32(BPF_MOV, to, fell), mov_reg(R0, to), leave()}),
                                        word, 0);
                EXPECT_EQ(asked.entry, word > 5 ? 1u : static_cast<uint64_t>(fell)) << int{to};
                EXPECT_EQ(asked.entry, asked.interpreter);
            }
}

TEST_F(Jit, AJumpTargetInsideASelectionIsNotRemoved)
{
    // The instruction that assigns zero is between the second jump and the target of that jump. For the value 5, the
    // first jump leads to it.
    const Image made = image(
        {load(BPF_DW, R2, R1, 0), mov(R0, 1), jump(BPF_JEQ, R2, 5, 1), jump(BPF_JGT, R2, 3, 1), mov(R0, 0), leave()});
    EXPECT_EQ(ask(made, 3, 0).entry, 0u);
    EXPECT_EQ(ask(made, 4, 0).entry, 1u);
    EXPECT_EQ(ask(made, 5, 0).entry, 0u);
}

TEST_F(Jit, ASelectionMayLeaveARegisterUnchanged)
{
    const Image made =
        image({load(BPF_DW, R2, R1, 0), load(BPF_DW, R0, R1, 8), jump(BPF_JGT, R2, 3, 1), mov(R0, 0), leave()});
    EXPECT_EQ(ask(made, 4, 77).entry, 77u);
    EXPECT_EQ(ask(made, 3, 77).entry, 0u);
}

TEST_F(Jit, InstructionsOfASelectionAreCountedAsExecuted)
{
    const Image made = image({load(BPF_DW, R2, R1, 0), mov(R0, 1), jump(BPF_JGT, R2, 3, 1), mov(R0, 0), leave()});
    for (const uint64_t word : {3, 4}) {
        const Both r = both(made, {reinterpret_cast<const uint8_t*>(&word), 8});
        EXPECT_EQ(r.executed[0], word > 3 ? 4u : 5u);
        EXPECT_EQ(r.executed[1], r.executed[0]);
    }
}

TEST_F(Jit, CompiledCodeIsWithinTwoGigabytesOfTheExecutable)
{
    std::vector<ExecutableMemory> all;
    for (int i = 0; i < 3; ++i) {
        const uint8_t code[] = {0xc3};
        auto memory = ExecutableMemory::hold(code);
        ASSERT_TRUE(memory.ok());
        const auto distance = reinterpret_cast<intptr_t>(&why_not) - reinterpret_cast<intptr_t>(memory->start());
        EXPECT_LT(std::abs(distance), intptr_t{1} << 31) << i;
        all.push_back(std::move(*memory));
    }
}

TEST_F(Jit, RuntimeFunctionsCanBeCompiled)
{
    for (const dt::RuntimeObject& object : dt::embedded_runtime()) {
        auto made = parse(object.elf);
        if (!made.ok())
            continue; // skips objects that call functions of other objects
        EXPECT_EQ(why_not(std::move(*made)), "") << object.name;
    }
}

TEST_F(Jit, ACompiledDProgramRuns)
{
    dt::test::DProgram program("int a[int]; self string s; BEGIN { self->s = strjoin(\"x\", execname); a[1] += 3; "
                               "@[a[1]] = quantize(a[1]); trace(a[1]); trace(self->s); }");
    ASSERT_EQ(program.problem(), "");
    const auto compiled = program.vm().compile();
    ASSERT_TRUE(compiled.ok()) << compiled.error().message;
    EXPECT_EQ(program.fire("BEGIN").values, (std::vector<std::string>{"3", "xtest"}));
    EXPECT_EQ(program.fire("BEGIN").values, (std::vector<std::string>{"6", "xtest"}));
    EXPECT_EQ(program.fire("BEGIN").problem, "");
}

} // namespace
