// Tests how much stack clauses and runtime functions use. The kernel limits the stack of nested calls to 512 bytes in
// all.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

#include "test/unit/lower_run.hpp"

namespace {

using dt::test::DProgram;
using dt::test::run_d;
using testing::ElementsAre;

/// Returns `count` terms joined by `separator`. The function `term` makes each term from its index.
std::string terms(int count, const char* separator, const std::function<std::string(int)>& term)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += (i ? separator : "") + term(i);
    return text;
}

TEST(ProgramStack, SixtyGlobalVariablesNeedNoStack)
{
    std::string program;
    for (int i = 0; i < 60; ++i)
        program += "int64_t g" + std::to_string(i) + "; ";
    const auto global = [](int i) { return "g" + std::to_string(i); };
    program += "BEGIN { " + terms(60, " ", [&](int i) { return global(i) + " = " + std::to_string(i) + ";"; }) + " }";
    program += "BEGIN { trace(" + terms(60, "+", global) + "); trace(" + terms(60, "^", global) + ");" + "trace(" +
               terms(60, "+", [&](int i) { return "(" + global(i) + " > 29)"; }) + "); }";
    EXPECT_THAT(run_d(program).values, ElementsAre("1770", "0", "30"));
    EXPECT_THAT(run_d(program + "ERROR { trace(" + terms(46, "+", global) + "); } BEGIN { trace(*(int *)0); }").values,
                ElementsAre("1770", "0", "30", "1035"));
}

TEST(ProgramStack, SumsThatAreUsedTwiceNeedLittleStack)
{
    const auto sum = [](int i) { return "(pid * " + std::to_string(i) + " + " + std::to_string(i + 3) + ")"; };
    const auto f = run_d("BEGIN { trace((" + terms(70, "^", sum) + ") == (" + terms(70, "^", sum) + ")); }");
    EXPECT_THAT(f.problem, "");
    EXPECT_THAT(f.values, ElementsAre("1"));
}

/// Returns how many bytes of stack below r10 the instructions of a function access.
uint32_t frame_of(const dt::vm::Image& image, const dt::vm::Function& function)
{
    int32_t deepest = 0;
    for (uint32_t i = function.first; i < function.first + function.count; ++i) {
        const bpf_insn& insn = image.code[i];
        const uint8_t base = BPF_CLASS(insn.code) == BPF_LDX ? insn.src_reg : insn.dst_reg;
        const bool access =
            BPF_CLASS(insn.code) == BPF_LDX || BPF_CLASS(insn.code) == BPF_ST || BPF_CLASS(insn.code) == BPF_STX;
        if (access && base == BPF_REG_10)
            deepest = std::min<int32_t>(deepest, insn.off);
        const bool from_frame = i > function.first && image.code[i - 1].code == (BPF_ALU64 | BPF_MOV | BPF_X) &&
                                image.code[i - 1].src_reg == BPF_REG_10 && image.code[i - 1].dst_reg == insn.dst_reg;
        if (insn.code == (BPF_ALU64 | BPF_ADD | BPF_K) && from_frame)
            deepest = std::min(deepest, insn.imm);
    }
    return (static_cast<uint32_t>(std::max(-deepest, 1)) + 31) / 32 * 32;
}

/// Returns the stack use of a function and of the functions that it calls, including callbacks of bpf_loop().
uint32_t depth_of(const dt::vm::Image& image, const dt::vm::Function& function)
{
    uint32_t below = 0;
    for (uint32_t i = function.first; i < function.first + function.count; ++i) {
        const bpf_insn& insn = image.code[i];
        int64_t target = -1;
        if (insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == BPF_PSEUDO_CALL)
            target = int64_t{i} + 1 + insn.imm;
        if (insn.code == (BPF_LD | BPF_IMM | BPF_DW) && insn.src_reg == BPF_PSEUDO_FUNC)
            target = insn.imm;
        for (const dt::vm::Function& other : image.functions)
            if (target == other.first)
                below = std::max(below, depth_of(image, other));
    }
    return frame_of(image, function) + below;
}

TEST(ProgramStack,
     RuntimeFunctionsFitIntoTheirReservedStack) // the limit is kRuntimeStack in dcompiler/ebpf/assemble.cpp
{
    DProgram program("string s; int n; BEGIN { n = index(s, s) + rindex(s, s); s = strstr(s, s); s = strchr(s, 47); s "
                     "= strtok(s, s);"
                     "n = strtoll(s); s = lltostr(n); s = toupper(s); s = cleanpath(s); s = basename(s); s = "
                     "dirname(s); s = strjoin(s, s);"
                     "s = substr(s, n); this->a = (struct in6_addr *)alloca(16); s = inet_ntop(10, this->a); n = "
                     "progenyof(n); n = speculation();"
                     "@ = stddev(n); @l = llquantize(n, 10, 0, 6, 20); @q = quantize(n); }");
    ASSERT_EQ(program.problem(), "");
    auto image = dt::vm::parse(program.elf());
    ASSERT_TRUE(image.ok());
    const std::vector<std::string> own = {"dt_program", "dt_chunk", "dt_error",   "dt_lose",
                                          "dt_claim",   "dt_slot",  "dt_compare", "dt_call"};
    std::size_t seen = 0;
    for (const dt::vm::Function& function : image->functions) {
        if (std::any_of(own.begin(), own.end(),
                        [&](const std::string& prefix) { return function.name.starts_with(prefix); }))
            continue;
        ++seen;
        EXPECT_LE(depth_of(*image, function), 128U) << function.name;
    }
    EXPECT_GT(seen, 15U);
}

TEST(ProgramStack, AClauseAndAClauseOfErrorFitIntoTheStackTogether)
{
    std::string program = "string s; int64_t a; int64_t z; ";
    for (int i = 0; i < 12; ++i)
        program += "this int64_t t" + std::to_string(i) + "; ";
    const auto sum = [](int depth) {
        std::string text = "index(s, strjoin(s, \"b\")) / z";
        for (int i = 0; i < depth; ++i)
            text = "(a * " + std::to_string(i + 2) + " - this->t" + std::to_string(i % 12) + " * " + text + ")";
        return text;
    };
    const std::string body =
        "s = \"b\"; a = 1; this->t3 = " + sum(30) + "; this->t4 = " + sum(40) + "; this->t5 = " + sum(50) + ";";
    program += "BEGIN { " + body + " } BEGIN { " + body + " } ERROR { z = 1; " + body + " trace(this->t3); }";
    DProgram compiled(program);
    const auto f = compiled.fire("BEGIN");
    EXPECT_EQ(f.problem, "");
    EXPECT_EQ(f.values.size(), 1U);
    auto image = dt::vm::parse(compiled.elf());
    ASSERT_TRUE(image.ok());
    const dt::vm::Function* begin = image->function("dt_program_0");
    ASSERT_TRUE(begin);
    EXPECT_GT(depth_of(*image, *begin), 128U);
    EXPECT_LE(depth_of(*image, *begin), 512U);
}

TEST(ProgramStack, TheCallerIsReadFromTheLinkRegister)
{
    dt::test::FrozenWorld world(*dt::machine::named("arm64"));
    dt::OptionSet options;
    dt::Compiler compiler(world, options);
    dt::Source source;
    source.kind = dt::Source::Kind::Script;
    source.name = "test.d";
    // The program is a kprobe and not a tracepoint program, because the clause calls return().
    source.text = "syscall::write:entry { trace(caller); return(-13); }";
    ASSERT_TRUE(compiler.add(source, dt::SpecKind::Script, {})) << compiler.diagnostics().list().front().message;
    auto object = compiler.finish(dt::embedded_runtime());
    ASSERT_TRUE(object);
    auto image = dt::vm::parse(object->elf);
    ASSERT_TRUE(image);
    const auto is_load = [](const bpf_insn& insn) { return BPF_CLASS(insn.code) == BPF_LDX && insn.off == 30 * 8; };
    const auto walks = [](const bpf_insn& insn) {
        return insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == 0 && insn.imm == BPF_FUNC_get_stack;
    };
    // On 64-bit Arm, `caller` is read from the link register, x30.
    EXPECT_TRUE(std::any_of(image->code.begin(), image->code.end(), is_load));
    EXPECT_FALSE(std::any_of(image->code.begin(), image->code.end(), walks));
}

} // namespace
