// Tests -x annotate: it assigns samples of instruction addresses to the statements and conditions (parts) of clauses,
// and prints their shares of time.
#include <gmock/gmock.h>

#include "libdtrace/annotate/annotate.hpp"
#include "libdtrace/results/annotation.hpp"
#include "machine/machine.hpp"
#include "test/unit/sema_helpers.hpp"

namespace dt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CodeLine line(uint64_t address, uint32_t number)
{
    return {address, "f.d", "", number, 1};
}

/// Maps a source line to a part of a clause: line 10 is part 1, line 20 is part 2, other lines have no part.
std::optional<uint32_t> part_of(const CodeLine& line)
{
    return line.line == 10 ? std::optional(1U) : line.line == 20 ? std::optional(2U) : std::nullopt;
}

CodeFunction function(const char* name, uint64_t address, std::vector<CodeLine> lines)
{
    return {name, address, std::vector<uint8_t>(0x100), std::move(lines)};
}

CodeSamples samples_of_a_program()
{
    CodeSamples samples;
    samples.add(
        {{"dt_program_0",
          {function("dt_program_0", 0x1000, {line(0x1000, 0), line(0x1020, 10), line(0x1030, 99), line(0x1040, 20)}),
           function("dt_cost_begin", 0x2000, {line(0x2000, 7)}),
           function("dt_chunk_0_0", 0x3000, {line(0x3000, 0), line(0x3008, 20)})}}},
        0, part_of);
    return samples;
}

SampleCount count_at(const CodeSamples& samples, uint64_t function, uint64_t address)
{
    const CodeSamples::Function* const found = samples.begins_at(function);
    const auto count = found ? found->counts.find(address) : decltype(found->counts.find(0)){};
    return found && count != found->counts.end() ? count->second : SampleCount{};
}

TEST(CodeSamples, AnAddressBelongsToTheRegionThatBeginsBeforeIt)
{
    const CodeSamples samples = samples_of_a_program();
    const CodeSamples::Function& program = *samples.begins_at(0x1000);
    EXPECT_EQ(program.owner_at(0x101f).kind, CodeOwner::Kind::Program);
    EXPECT_EQ(program.owner_at(0x1020).part, 1U);
    // lines without a part, such as those of another file, belong to the preceding part
    EXPECT_EQ(program.owner_at(0x1030).part, 1U);
    EXPECT_EQ(program.owner_at(0x1040).part, 2U);
    EXPECT_EQ(samples.begins_at(0x2000)->owner_at(0x2010).kind, CodeOwner::Kind::Runtime);
    // Code before the first entry of the line table belongs to the part of that entry.
    EXPECT_EQ(samples.begins_at(0x3000)->owner_at(0x3000).part, 2U);
}

TEST(CodeSamples, CodeWithoutASourceLineBelongsToTheProgram)
{
    CodeSamples samples;
    samples.add({{"p", {function("p", 0x1000, {line(0x1000, 10), line(0x1020, 0), line(0x1030, 20)})}}}, 0, part_of);
    EXPECT_EQ(samples.begins_at(0x1000)->owner_at(0x1010).part, 1U);
    EXPECT_EQ(samples.begins_at(0x1000)->owner_at(0x1020).kind, CodeOwner::Kind::Program);
    EXPECT_EQ(samples.begins_at(0x1000)->owner_at(0x1030).part, 2U);
}

TEST(CodeSamples, KernelTimeBelongsToTheInstructionThatMadeTheCall)
{
    CodeSamples samples = samples_of_a_program();
    samples.count(std::vector<uint64_t>{0x1024, 0x9999});
    // The frame 0x1030 is a return address: its call instruction precedes it, in the code of part 1.
    samples.count(std::vector<uint64_t>{0x8000, 0x8100, 0x1030, 0x9999});
    samples.count(std::vector<uint64_t>{0x8000, 0x8100});
    EXPECT_EQ(samples.samples(), 3U);
    EXPECT_EQ(samples.in_programs(), 2U);
    EXPECT_EQ(count_at(samples, 0x1000, 0x1024).own, 1U);
    // 0x1030 is a return address. The sample belongs to the call instruction before it, and so to the preceding part.
    EXPECT_EQ(count_at(samples, 0x1000, 0x102f).called, 1U);
}

TEST(CodeSamples, TimeInCalledFunctionsBelongsToTheInnermostClause)
{
    CodeSamples samples = samples_of_a_program();
    // A sample in a runtime function. A clause calls this function, and a program calls the clause.
    samples.count(std::vector<uint64_t>{0x2010, 0x3020, 0x1044});
    EXPECT_EQ(count_at(samples, 0x2000, 0x2010).own, 1U);
    EXPECT_EQ(count_at(samples, 0x3000, 0x301f).called, 1U);
    EXPECT_EQ(count_at(samples, 0x1000, 0x1043).sum(), 0U);
    EXPECT_EQ(samples.in_programs(), 1U);
}

TEST(ClauseParts, AClauseIsDividedIntoDescriptionPredicateAndStatements)
{
    const test::Checked checked("syscall::read:entry /pid == 3/ { n++; @[execname] = count(); }\n"
                                "BEGIN, END\n"
                                "{\n"
                                "  trace(\n"
                                "    n);\n"
                                "}\n");
    ASSERT_EQ(checked.tag(), "");
    const ClauseParts parts(checked.program().statements);
    ASSERT_EQ(parts.clauses().size(), 2U);
    EXPECT_EQ(parts.clauses()[1].name, "BEGIN, END");
    EXPECT_EQ(parts.clauses()[1].statements.size(), 2U);
    std::vector<std::string> texts;
    for (const ClausePart& part : parts.parts())
        texts.push_back(std::to_string(part.line) + " " + part.text);
    EXPECT_THAT(texts, ElementsAre("1 syscall::read:entry", "1 /pid == 3/", "1 n++", "1 @[execname] = count()",
                                   "2 BEGIN, END", "4 trace("));

    const char* const first = "syscall::read:entry /pid == 3/ { n++; @[execname] = count(); }";
    EXPECT_EQ(parts.find({0, "test.d", first, 1, 1}), 0U);
    EXPECT_EQ(parts.find({0, "test.d", first, 1, 22}), 1U); // pid is in this column
    EXPECT_EQ(parts.find({0, "test.d", first, 1, 34}), 2U); // n is in this column
    EXPECT_EQ(parts.find({0, "test.d", first, 1, 41}), 3U); // column of execname in the source line
    EXPECT_EQ(parts.find({0, "test.d", "n);", 5, 5}), 5U);
    EXPECT_EQ(parts.find({0, "test.d", "BEGIN, END", 2, 8}), 4U);
    EXPECT_EQ(parts.find({0, "other.d", first, 1, 22}), std::nullopt);
}

TEST(Annotator, InstructionsAreListedUnderTheirRegionWithNamesOfCallees)
{
    const test::Checked checked("syscall::read:entry { n++; }");
    const ClauseParts parts(checked.program().statements);
    // code: mov rax, rbx; call 0x2000; call 0x9000; je 0x1000; ret
    const std::vector<uint8_t> code = {0x48, 0x89, 0xd8, 0xe8, 0xf8, 0x0f, 0,    0,
                                       0xe8, 0xf3, 0x7f, 0,    0,    0x74, 0xf1, 0xc3};
    CodeSamples samples;
    samples.add({{"p", {{"p", 0x1000, code, {line(0x1000, 1), line(0x1008, 2)}}, {"helping", 0x2000, {0xc3}, {}}}}}, 0,
                [](const CodeLine& at) { return std::optional(at.line - 1); });
    for (int i = 0; i < 3; ++i)
        samples.count(std::vector<uint64_t>{0x9010, 0x100d});
    samples.count(std::vector<uint64_t>{0x1000});
    output::CostReport costs;
    costs.probes.push_back({7, "", 100, {}, {}, {0}});
    const auto codes = annotated_codes(samples, parts, std::vector<AnnotatedProgram>{{"probe", {7}}}, costs,
                                       [](uint64_t address) { return address == 0x9000 ? "helper" : "?"; });
    ASSERT_EQ(codes.size(), 2U); // one listing for the clause's code, and one for the function that the clause calls
    EXPECT_EQ(codes[0].fired, 100U);
    ASSERT_EQ(codes[0].lines.size(), 2U);
    EXPECT_EQ(codes[0].lines[1].text, "n++");
    EXPECT_EQ(codes[0].lines[0].own(), 1U);
    EXPECT_EQ(codes[0].lines[1].called(), 3U);
    std::vector<std::string> texts;
    for (const output::AnnotatedLine& each : codes[0].lines)
        for (const output::AnnotatedInstruction& instruction : each.instructions)
            texts.push_back(instruction.text);
    EXPECT_THAT(texts, ElementsAre("mov rax, rbx", "call helping", "call helper", "je 0", "ret"));
    EXPECT_EQ(codes[1].name, "helping");
}

TEST(Annotator, PercentagesReferToTheTimeWithActiveProbes)
{
    const test::Checked checked("syscall::read:entry { n++; }");
    Annotator annotator(checked.program().statements);
    output::CostReport costs;
    costs.elapsed = 4'000; // duration of tracing, without the time for reading symbols
    EXPECT_EQ(annotator.result(costs, [](uint64_t) { return ""; }).elapsed, 4'000U);
}

TEST(Annotation, TheTextShowsPercentagesAndCostsOfLinesAndInstructions)
{
    output::Annotation annotation;
    annotation.samples = 5000;
    annotation.in_programs = 1000;
    annotation.period = 500'000;
    annotation.elapsed = 2'000'000'000;
    annotation.codes = {
        {"clause", "syscall::read:entry", "syscall:vmlinux:read:entry", false, 100'000, {}},
        {"program",
         "",
         "syscall:vmlinux:read:entry",
         false,
         100'000,
         {{"", 0, "", {{0, "nop", 0, 0}, {1, "ret", 100, 0}}}}},
        {"function", "dt_square", "syscall:vmlinux:read:entry", false, {}, {{"", 0, "", {{0, "ret", 0, 0}}}}}};
    annotation.codes[0].lines = {{"f.d", 3, "n++", {{0x10, "mov rax, rbx", 50, 0}, {0x13, "call helper", 0, 850}}}};
    const std::string text = output::annotation_text(annotation);
    EXPECT_THAT(text, HasSubstr("syscall::read:entry: 100,000 firings\n"));
    EXPECT_THAT(text, HasSubstr("   90.0    5.0   85.0      4500.0  3: n++\n"));
    EXPECT_THAT(text, HasSubstr("    5.0    5.0              250.0       10  mov rax, rbx\n"));
    EXPECT_THAT(text, HasSubstr("   85.0          85.0      4250.0       13  call helper\n"));
    EXPECT_THAT(text, HasSubstr("code outside of the clauses of syscall:vmlinux:read:entry: 100,000 firings\n"));
    EXPECT_THAT(text, testing::Not(HasSubstr("nop")));       // instructions without samples are not printed
    EXPECT_THAT(text, testing::Not(HasSubstr("dt_square"))); // functions without samples are not printed
    EXPECT_THAT(text, HasSubstr("sampled: 1,000 times in these programs (25.0 % of a CPU) of 5,000 in the kernel, "
                                "2,000 a second on each CPU; code that runs with interrupts disabled is not seen\n"));
}

TEST(Annotation, IfCodeIsNotAnnotatedTheReasonIsPrinted)
{
    output::Annotation annotation;
    annotation.problem = "the kernel interprets BPF programs";
    EXPECT_EQ(output::annotation_text(annotation), "\nannotate: the kernel interprets BPF programs\n");
}

} // namespace
} // namespace dt
