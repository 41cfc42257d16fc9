// Tests actions that the consumer performs when it reads their records, such as exit() and commit(): dtrace-actions(7),
// ACTIONS ON THE RUN and SPECULATIONS.
#include <cerrno>

#include "libdtrace_decode_support.hpp"

using namespace dt;
using dt::test::Bytes;
using dt::test::Decoding;
using dt::test::number;

namespace {

struct Quiet : Decoding {
    Quiet() { options.put("quiet"); }
};

std::string path_of(const char* name)
{
    return testing::TempDir() + name + std::to_string(getpid());
}

std::string read_and_remove(const std::string& path)
{
    std::string text;
    if (FILE* file = fopen(path.c_str(), "r")) {
        char buffer[4096];
        text.assign(buffer, fread(buffer, 1, sizeof buffer, file));
        fclose(file);
    }
    unlink(path.c_str());
    return text;
}

} // namespace

TEST(Actions, PrintaAddsANewlineOnlyWithoutAFormat)
{
    Quiet d;
    const uint32_t id = d.declare(AggKind::Count);
    const uint32_t plain = d.on("printa", id), formatted = d.on("printa", id, "%@d;");
    d.start();
    d.store.add(id, nullptr, 0, {5});
    d.fire(plain);
    d.fire(formatted);
    EXPECT_EQ(d.printed(), "\n" + number(5) + "\n5;");
}

TEST(Actions, PrintaWithoutEntriesPrintsANewline)
{
    Quiet d;
    const uint32_t plain = d.on("printa", d.declare(AggKind::Count));
    d.start();
    d.fire(plain);
    EXPECT_EQ(d.printed(), "\n");
}

TEST(Actions, NormalizeClearAndTruncApplyInTheOrderOfTheirRecords)
{
    Quiet d;
    const uint32_t id = d.declare(AggKind::Sum, Bytes().integer<int64_t>(0));
    const uint32_t normalize = d.on("normalize", id, "", Bytes().integer<int64_t>(0)),
                   denormalize = d.on("denormalize", id);
    const uint32_t print = d.on("printa", id, "%d=%@d "), clear = d.on("clear", id), trunc = d.on("trunc", id);
    const uint32_t keep = d.on("trunc", id, "", Bytes().integer<int64_t>(0));
    d.start();
    d.add(id, Bytes().integer<int64_t>(1), 10);
    d.add(id, Bytes().integer<int64_t>(2), 30);
    d.fire(normalize, Bytes().integer<int64_t>(10));
    d.fire(print);
    d.fire(denormalize);
    d.fire(keep, Bytes().integer<int64_t>(1));
    d.fire(print);
    d.fire(clear);
    d.fire(print);
    d.fire(trunc);
    d.fire(print);
    EXPECT_EQ(d.printed(), "1=1 2=3 2=30 2=0 ");
}

TEST(Actions, TracememPrintsItsBytesAsAHexDump)
{
    Quiet d;
    const Bytes shape = Bytes().array("abcd").integer<int64_t>(0);
    const uint32_t stmt = d.statement("tracemem", shape);
    d.start();
    const std::string heading = "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n";
    d.fire(stmt, Bytes().array("abcd").integer<int64_t>(2));
    d.fire(stmt, Bytes().array("abcd").integer<int64_t>(0));
    d.fire(stmt, Bytes().array("abcd").integer<int64_t>(-1));
    EXPECT_EQ(d.printed(), heading + "         0: 61 62" + std::string(42, ' ') + "  ab\n" + heading +
                               "         0: 61 62 63 64" + std::string(36, ' ') + "  abcd\n");
}

TEST(Actions, SymAsAStatementPrintsTheSymbol)
{
    Decoding d;
    d.options.put("quiet");
    const Bytes address = Bytes().words({0x1234}, Datum::Kind::Symbol);
    const uint32_t stmt = d.statement("sym", address);
    d.start();
    d.fire(stmt, address);
    EXPECT_EQ(d.printed(), "  0x1234" + std::string(44, ' '));
}

TEST(Actions, AStackEndsWithItsOwnNewlineAndTheNewlineOfTheRecord)
{
    Decoding d;
    const Bytes stack = Bytes().words({0x10, 0}, Datum::Kind::Stack);
    const uint32_t stmt = d.statement("stack", stack);
    d.start();
    d.fire(stmt, stack);
    EXPECT_EQ(d.printed(),
              test::kHeading + std::string("  0      1                           :BEGIN \n              0x10\n\n"));
}

TEST(Actions, AfterAFailedSetoptTracingContinues)
{
    Quiet d;
    dt::Record record;
    record.action = test::action("setopt");
    record.texts = {"bufsize", "1m"};
    const uint32_t stmt = d.statement({record}, 0);
    d.start();
    testing::internal::CaptureStderr();
    d.fire(stmt);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_EQ(text.substr(text.find(": ") + 2),
              "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): couldn't set option \"bufsize\" "
              "to \"1m\": Operation illegal when tracing is active\n\n");
}

TEST(Actions, FreopenAppendsToAFileAndReturnsToTheOutput)
{
    Quiet d;
    const uint32_t to = d.statement("freopen", Bytes().text("", 128), "%s"), print = d.statement("printf", {}, "x");
    d.start();
    const std::string path = path_of("freopen");
    d.fire(print);
    d.fire(to, Bytes().text(path, 128));
    d.fire(print);
    d.fire(print);
    d.fire(to, Bytes().text("", 128));
    d.fire(print);
    EXPECT_EQ(d.printed(), "xx");
    EXPECT_EQ(read_and_remove(path), "xx");
}

TEST(Actions, AfterAFailedFreopenOutputContinuesInTheCurrentFile)
{
    Quiet d;
    const uint32_t to = d.statement("freopen", {}, "/nonexistent/file"), print = d.statement("printf", {}, "x");
    d.start();
    testing::internal::CaptureStderr();
    d.fire(to);
    const std::string text = testing::internal::GetCapturedStderr();
    d.fire(print);
    EXPECT_NE(text.find("couldn't freopen() \"/nonexistent/file\": No such file or directory\n"), std::string::npos)
        << text;
    EXPECT_EQ(d.printed(), "x");
}

TEST(Actions, FtruncateRemovesThePreviousOutput)
{
    Quiet d;
    const uint32_t print = d.statement("printf", {}, "x"), cut = d.statement("ftruncate");
    d.start();
    d.fire(print);
    d.fire(cut);
    d.fire(print);
    EXPECT_EQ(d.printed(), "x");
}

TEST(Actions, SystemRunsAfterThePrecedingOutputIsWritten)
{
    Quiet d;
    const std::string path = path_of("system");
    const uint32_t run = d.statement("system", Bytes().text("", 128), "%s"),
                   print = d.statement("printf", {}, "before");
    d.start();
    d.fire(print);
    const std::string output = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(d.file.descriptor());
    d.fire(run, Bytes().text("cat " + output + " > " + path, 128));
    EXPECT_EQ(read_and_remove(path), "before");
}

TEST(Actions, TheCommandOfSystemIsTruncatedToStrsize)
{
    Quiet d;
    d.options.put("strsize", "4");
    const uint32_t run = d.statement("system", {}, "trueX");
    d.start();
    testing::internal::CaptureStderr();
    d.fire(run);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Actions, PcapPrintsTheCapturedBytes)
{
    const std::string path = getenv("PATH");
    setenv("PATH", "/nonexistent", 1); // removes tshark from PATH, because it would decode the packet
    Quiet d;
    const auto packet = [](uint32_t length) {
        return Bytes().integer<uint64_t>(1).integer<uint32_t>(length).integer<uint32_t>(1).array("abcdef");
    };
    const uint32_t stmt = d.statement("pcap", packet(0));
    d.start();
    d.fire(stmt, packet(0));
    EXPECT_EQ(d.printed(), "");
    d.fire(stmt, packet(2));
    EXPECT_NE(d.printed().find("         0: 61 62   "), std::string::npos);
    setenv("PATH", path.c_str(), 1);
}

namespace {

struct Speculating : Quiet {
    Speculating()
    {
        print = statement("printf", Bytes().integer(0), "%d ");
        commit = statement("commit", Bytes().integer(0));
        discard = statement("discard", Bytes().integer(0));
        statements[commit].prints_line = statements[discard].prints_line = false;
        start();
        speculations.attach(specs, 2);
    }
    void speculate(int value, uint32_t serial) { fire(print, Bytes().integer(value), 1, 0, serial); }
    uint32_t print, commit, discard;
    dt_spec specs[3] = {};
};

} // namespace

TEST(SpeculativeOutput, IsPrintedWhenTheSpeculationIsCommitted)
{
    Speculating d;
    d.speculate(1, 1);
    d.speculate(2, 1);
    d.fire(d.print, Bytes().integer(3));
    EXPECT_EQ(d.printed(), "3 ");
    d.fire(d.commit, Bytes().integer(1));
    EXPECT_EQ(d.printed(), "3 1 2 ");
}

TEST(SpeculativeOutput, DiscardedRecordsAreNotPrinted)
{
    Speculating d;
    d.speculate(1, 1);
    d.fire(d.discard, Bytes().integer(1));
    d.speculate(2, 1);
    EXPECT_EQ(d.printed(), "");
}

TEST(SpeculativeOutput, LateRecordsOfACommittedSpeculationArePrinted)
{
    Speculating d;
    d.speculate(1, 1);
    d.fire(d.commit, Bytes().integer(1));
    d.speculate(7, 1);
    EXPECT_EQ(d.printed(), "1 7 ");
}

TEST(SpeculativeOutput, AReusedIdBelongsToANewSpeculation)
{
    Speculating d;
    d.speculate(1, 1);
    d.fire(d.discard, Bytes().integer(1));
    d.speculate(2, 2);
    d.speculate(3, 1); // not printed, because speculation 1 was already discarded
    d.fire(d.commit, Bytes().integer(2));
    EXPECT_EQ(d.printed(), "2 ");
}

TEST(SpeculativeOutput, IfACommitIsLostItsSpeculationIsCountedAndFreed)
{
    Speculating d;
    d.specs[1].serial = 1;
    d.specs[2].serial = 2;
    d.speculate(1, 1);
    d.speculate(2, 2);
    EXPECT_EQ(d.speculations.abandon_lost(10 * kSecond, false).size(), 0u) << "both are open";
    d.specs[1].serial = 3; // speculation 1 has ended; a new speculation has the same id
    EXPECT_EQ(d.speculations.abandon_lost(11 * kSecond, false).size(), 0u) << "the record may be on its way";
    const auto given_up = d.speculations.abandon_lost(12 * kSecond, false);
    ASSERT_EQ(given_up.size(), 1u);
    EXPECT_EQ(given_up[0].size(), 1u);
    d.fire(d.commit, Bytes().integer(2));
    d.fire(d.commit, Bytes().integer(1));
    EXPECT_EQ(d.printed(), "2 ");
}

TEST(SpeculativeOutput, AtTheEndSpeculationsWithoutCommitAreDroppedSilently)
{
    Speculating d;
    d.specs[1].serial = 1;
    d.speculate(1, 1);
    d.speculate(2, 2);
    EXPECT_EQ(d.speculations.abandon_lost(kSecond, true).size(), 1u);
}

TEST(SpeculativeOutput, RecordsOfDifferentSpeculationsDoNotMix)
{
    Speculating d;
    d.speculate(1, 1);
    d.speculate(2, 2);
    d.fire(d.commit, Bytes().integer(2));
    EXPECT_EQ(d.printed(), "2 ");
}

TEST(SpeculativeOutput, ASpeculationWithIdZeroHasNoEffect)
{
    Speculating d;
    d.fire(d.commit, Bytes().integer(0));
    d.fire(d.discard, Bytes().integer(-1));
    EXPECT_EQ(d.printed(), "");
}

TEST(SpeculativeOutput, RecordsBeyondSpecsizeAreReported)
{
    Decoding d;
    d.options.put("quiet");
    consume::Speculations small(2 * (16 + 4));
    const uint32_t print = d.statement("printf", Bytes().integer(0), "%d ");
    d.start();
    d.decoder.emplace(d.probes, d.options, d.output, d.env, d.aggregations, small, d.losses, *d.lines);
    ASSERT_TRUE(d.decoder->plan(d.statements));
    for (int i = 0; i < 3; ++i)
        d.fire(print, Bytes().integer(i), 1, 0, 1);
    testing::internal::CaptureStderr();
    d.losses.report(consume::kEachPass);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_EQ(text.substr(text.find(": ") + 2), "1 speculative drop\n");
}

namespace {

std::string drops(const std::vector<dt_losses>& counters, unsigned occasion, bool tags = false,
                  KernelLosses* kernel = nullptr)
{
    Options options;
    if (tags)
        options.put("droptags");
    test::MemoryFile file;
    Output output(file.descriptor());
    test::Decoding unused;
    consume::Losses losses(options, output, unused.sink);
    losses.attach(counters.data(), static_cast<uint32_t>(counters.size()));
    if (kernel)
        losses.attach(*kernel);
    testing::internal::CaptureStderr();
    losses.report(occasion);
    losses.report(occasion); // prints nothing, because no counter has increased
    std::string text = testing::internal::GetCapturedStderr();
    const std::string program = std::string(program_invocation_short_name) + ": ";
    for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1)
        if (text.compare(line, program.size(), program) == 0)
            text.erase(line, program.size());
    return text;
}

} // namespace

TEST(DropMessages, EachPassReportsTheDropsOfEachCpu)
{
    EXPECT_EQ(drops({{.principal = 1}, {.principal = 2, .aggregation = 3}}, consume::kEachPass),
              "1 drop on CPU 0\n2 drops on CPU 1\n3 aggregation drops on CPU 1\n");
}

TEST(DropMessages, MessagesAboutSkippedHitsNameTheProbe)
{
    KernelLosses kernel([](int fd) { return static_cast<uint64_t>(fd); }, [](int) { return 0; });
    kernel.watch("syscall:::entry", 1, -1);
    kernel.watch("syscall:::return", 2, -1);
    EXPECT_EQ(drops({{}}, consume::kEachPass, true, &kernel), "");
    EXPECT_EQ(drops({{}}, consume::kAtEnd, true, &kernel),
              "[DTRACEDROP_RECURSION] 1 drop in syscall:::entry (the kernel skips a probe that fires while the "
              "program of a probe is running)\n"
              "[DTRACEDROP_RECURSION] 2 drops in syscall:::return (the kernel skips a probe that fires while the "
              "program of a probe is running)\n");
}

TEST(DropMessages, DropsOfNestedProbesStateTheCause)
{
    EXPECT_EQ(drops({{.nesting = 1}}, consume::kEachPass),
              "1 drop on CPU 0 (no free scratch memory: probes nested too deeply)\n");
}

TEST(DropMessages, TheStatusCheckSumsDropsOverAllCpus)
{
    EXPECT_EQ(drops({{.dynamic = 1, .spec_unavailable = 2}, {.dynamic = 1}}, consume::kEachStatus),
              "2 dynamic variable drops\n"
              "2 failed speculations (no speculative buffer available)\n");
    EXPECT_EQ(drops({{.dynamic = 1}}, consume::kEachPass), "");
}

TEST(DropMessages, TagsPrecedeTheTextOfMessages)
{
    EXPECT_EQ(drops({{.principal = 1, .dynamic = 1}}, consume::kAtEnd, true),
              "[DTRACEDROP_PRINCIPAL] 1 drop on CPU 0\n[DTRACEDROP_DYNAMIC] 1 dynamic variable drop\n");
}

TEST(OutputStream, AFailedWriteIsReportedOnce)
{
    const int full = open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    {
        Output output(full);
        output.write("x");
        const Result<void> first = output.flush();
        ASSERT_FALSE(first);
        EXPECT_EQ(first.error().message, "cannot write output: No space left on device");
        EXPECT_EQ(first.error().code, ENOSPC);
        output.write("y");
        EXPECT_TRUE(output.flush());
    }
    close(full);
}
