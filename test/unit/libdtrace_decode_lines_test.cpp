// Tests printed lines (heading, prefix, newline, quiet mode, -F: dtrace-output(7), LINES) and messages about faults
// (dtrace-output(7), FAULTS AND DROPS).
#include "libdtrace_decode_support.hpp"

using namespace dt;
using dt::test::Bytes;
using dt::test::Decoding;
using dt::test::kHeading;

namespace {

std::string line(const std::string& prefix, const std::string& rest)
{
    return prefix + rest + "\n";
}

constexpr const char* kBegin = "  0      1                           :BEGIN ";

// Returns a line of -F: the CPU, a blank, and the text padded to 42 columns.
std::string flow(const std::string& cpu, std::string text)
{
    text.resize(42, ' ');
    return cpu + " " + text + "\n";
}

} // namespace

TEST(OutputLines, TheHeadingIsPrintedOnceAndEachLineHasItsPrefix)
{
    Decoding d;
    const uint32_t stmt = d.statement("printf", Bytes().integer(0), "x=%d");
    d.start();
    d.fire(stmt, Bytes().integer(1));
    d.fire(stmt, Bytes().integer(2), 10, 1);
    EXPECT_EQ(d.printed(),
              kHeading + line(kBegin, "x=1") + line("  1     10                      write:entry ", "x=2"));
}

// The statement traces a number and a string.
TEST(OutputLines, TwoTracedValuesArePrintedOnOneLine)
{
    Decoding d;
    Bytes data = Bytes().integer(1).text("hello", 8);
    dt::Record first, second;
    first.action = second.action = test::action("trace");
    first.data = {data.datums[0]};
    second.data = {data.datums[1]};
    const uint32_t stmt = d.statement({first, second}, static_cast<uint32_t>(data.data.size()));
    d.start();
    d.fire(stmt, data);
    EXPECT_EQ(d.printed(), kHeading + line(kBegin, "          1  hello                            "));
}

TEST(OutputLines, TheDefaultActionPrintsALineWithoutData)
{
    Decoding d;
    const uint32_t stmt = d.statement("");
    d.start();
    d.fire(stmt);
    EXPECT_EQ(d.printed(), kHeading + line(kBegin, ""));
}

TEST(OutputLines, QuietModePrintsOnlyData)
{
    Decoding d;
    d.options.put("quiet");
    const uint32_t stmt = d.statement("printf", Bytes().integer(0), "x=%d;");
    d.start();
    d.fire(stmt, Bytes().integer(1));
    d.fire(stmt, Bytes().integer(2));
    EXPECT_EQ(d.printed(), "x=1;x=2;");
}

TEST(OutputLines, ReproducibleOutputHasNoCpuAndNoProbeId)
{
    Decoding d;
    const uint32_t stmt = d.statement("printf", Bytes(), "hi");
    d.start(true);
    d.fire(stmt, Bytes(), 10, 1);
    EXPECT_EQ(d.printed(), "                   FUNCTION:NAME\n                     write:entry hi\n");
}

TEST(OutputLines, SetoptOfQuietAlreadyRemovesTheNewlineOfItsOwnLine)
{
    Decoding d;
    dt::Record setopt, print;
    setopt.action = test::action("setopt");
    setopt.texts = {"quiet"};
    print.action = test::action("printf");
    print.format = "a";
    print.has_format = true;
    const uint32_t stmt = d.statement({print, setopt}, 0);
    d.start();
    d.fire(stmt);
    d.fire(stmt);
    EXPECT_EQ(d.printed(), std::string(kHeading) + kBegin + "aa");
}

TEST(OutputLines, CommitPrintsNoLine)
{
    Decoding d;
    const uint32_t stmt = d.statement("commit", Bytes().integer(0));
    d.statements[stmt].prints_line = false;
    d.start();
    d.fire(stmt, Bytes().integer(0));
    EXPECT_EQ(d.printed(), "");
}

TEST(OutputLines, BitsOfTheConditionWordSelectTheRecordsToPrint)
{
    Decoding d;
    d.options.put("quiet");
    const Bytes shape = Bytes().integer<uint64_t>(0);
    std::vector<dt::Record> records(3);
    for (int i = 0; i < 3; ++i) {
        records[i].action = test::action("printf");
        records[i].format = std::to_string(i);
        records[i].has_format = true;
        // index of the condition on which the record depends; the first record depends on none
        records[i].guard = i - 1;
    }
    const uint32_t stmt = d.statement(records, 8);
    d.statements[stmt].guard_offset = 0;
    d.start();
    for (const uint64_t guard : {0u, 1u, 2u, 3u}) {
        d.fire(stmt, Bytes().integer<uint64_t>(guard));
        d.output.write(" ");
    }
    EXPECT_EQ(d.printed(), "0 01 02 012 ");
}

TEST(OutputLines, SamplesThatAreUnknownOrTooShortAreIgnored)
{
    Decoding d;
    const uint32_t stmt = d.statement("trace", Bytes().integer<int64_t>(0));
    d.start();
    d.fire(7);
    d.fire(stmt, Bytes().integer(1));
    EXPECT_EQ(d.printed(), "");
}

TEST(OutputLines, AnUnknownProbeIsPrintedWithoutAName)
{
    Decoding d;
    const uint32_t stmt = d.statement("");
    d.start();
    d.fire(stmt, Bytes(), 0xfffffff0);
    EXPECT_EQ(d.printed(), kHeading + line("  0 4294967280                                : ", ""));
}

TEST(DecodingPlan, DataOutsideTheSampleIsRefused)
{
    Decoding d;
    const uint32_t stmt = d.statement("trace", Bytes().integer(0));
    d.statements[stmt].data_size = 3;
    d.decoder.emplace(d.probes, d.options, d.output, d.env, d.aggregations, d.speculations, d.losses, d.sink);
    EXPECT_EQ(d.decoder->plan(d.statements).error().message, "Data record offset exceeds buffer boundary");
}

// There are two nested function calls, and a user-defined probe inside the inner call.
TEST(FlowIndent, NestedCallsAreIndented)
{
    Decoding d;
    d.options.put("flowindent");
    const uint32_t stmt = d.statement("");
    d.start();
    for (const uint32_t probe : {1, 20, 22, 24, 23, 21})
        d.fire(stmt, Bytes(), probe);
    EXPECT_EQ(d.printed(), "CPU FUNCTION                                 \n" + flow("  0", "| :BEGIN") +
                               flow("  0", " -> main") + flow("  0", "   -> helper") +
                               flow("  0", "    | helper:tick") + flow("  0", "   <- helper") +
                               flow("  0", " <- main"));
}

TEST(FlowIndent, EntriesAndReturnsOfSystemCallsHaveArrowsOfTheirOwn)
{
    Decoding d;
    d.options.put("flowindent");
    const uint32_t stmt = d.statement("trace", Bytes().integer<int64_t>(0));
    d.start();
    d.fire(stmt, Bytes().integer<int64_t>(1), 10, 1);
    d.fire(stmt, Bytes().integer<int64_t>(3), 11, 1);
    EXPECT_EQ(d.printed(), "CPU FUNCTION                                 \n"
                           "  1  => write                                                    1\n"
                           "  1  <= write                                                    3\n");
}

TEST(FlowIndent, ASecondClauseOfTheSameEntryDoesNotIndentAgain)
{
    Decoding d;
    d.options.put("flowindent");
    const uint32_t first = d.statement(""), second = d.statement("");
    d.start();
    d.fire(first, Bytes(), 20);
    d.fire(second, Bytes(), 20);
    d.fire(first, Bytes(), 21);
    EXPECT_EQ(d.printed(), "CPU FUNCTION                                 \n" + flow("  0", " -> main") +
                               flow("  0", "  | main:entry") + flow("  0", " <- main"));
}

TEST(FlowIndent, IndentationIsPerCpuAndNeverNegative)
{
    Decoding d;
    d.options.put("flowindent");
    const uint32_t stmt = d.statement("");
    d.start();
    d.fire(stmt, Bytes(), 20, 0);
    d.fire(stmt, Bytes(), 21, 1);
    d.fire(stmt, Bytes(), 22, 0);
    EXPECT_EQ(d.printed(), "CPU FUNCTION                                 \n" + flow("  0", " -> main") +
                               flow("  1", " <- main") + flow("  0", "   -> helper"));
}

TEST(FlowIndent, ReproducibleOutputHasNoCpu)
{
    Decoding d;
    d.options.put("flowindent");
    const uint32_t stmt = d.statement("");
    d.start(true);
    d.fire(stmt, Bytes(), 20, 3);
    EXPECT_EQ(d.printed(), "FUNCTION                                 \n" + flow("", " -> main").substr(1));
}

namespace {

std::string fault_line(dt_fault fault)
{
    Decoding d;
    d.start();
    Bytes bytes;
    bytes.bytes(&fault, sizeof fault, Datum::Kind::Bytes, 8);
    testing::internal::CaptureStderr();
    d.fire(DT_STMT_FAULT, bytes);
    const std::string text = testing::internal::GetCapturedStderr();
    return text.substr(text.find(": ") + 2);
}

} // namespace

TEST(FaultMessages, TheMessageAboutAFaultContainsItsDetailAndProgramCounter)
{
    EXPECT_EQ(fault_line({0, 1, 173, 0x10}),
              "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x10) at BPF pc 173\n");
    EXPECT_EQ(fault_line({0, 4, 178, 0}),
              "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): divide-by-zero at BPF pc 178\n");
    EXPECT_EQ(fault_line({2, 11, -1, static_cast<uint64_t>(-5)}),
              "error in dt_clause_2 for probe ID 1 (dtrace:::BEGIN): index out of bounds (-5)\n");
    EXPECT_EQ(fault_line({0, 1, -1, UINT64_MAX}),
              "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address\n");
    EXPECT_EQ(fault_line({0, 77, 1, 5}),
              "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): unknown fault at BPF pc 1\n");
}
