// Tests the statistics of dropped records: sums by reason, CPU and time, the summary line and the table, and the
// counters from which they are computed.
#include <gmock/gmock.h>

#include "libdtrace/losses/drop_messages.hpp"
#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/losses/hit_counts.hpp"
#include "libdtrace/losses/lost_intervals.hpp"
#include "libdtrace/records/flight_recorder.hpp"
#include "libdtrace_decode_support.hpp"

namespace dt {
namespace {

using consume::DropReason;
using consume::DropStats;
using output::DropRow;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

DropRow row_of(const DropStats& ledger, std::string_view cause)
{
    for (const DropRow& row : ledger.rows())
        if (row.cause == cause)
            return row;
    ADD_FAILURE() << "no cause " << cause;
    return {};
}

TEST(DropStats, DropsAreSummedByReasonAndCpuWithTheirFirstAndLastTime)
{
    DropStats ledger;
    ledger.add(DropReason::Buffer, 2, 0, {100, 200});
    ledger.add(DropReason::Buffer, 3, 1, {50, 80});
    ledger.add(DropReason::Buffer, 0, 2, {1, 900});
    ledger.add(DropReason::Dynamic, 7, -1, {10, 20});
    const DropRow buffer = row_of(ledger, "buffer"), dynamic = row_of(ledger, "dynamic");
    EXPECT_EQ(buffer.count, 5U);
    EXPECT_EQ(buffer.first, 50U);
    EXPECT_EQ(buffer.last, 200U);
    EXPECT_THAT(buffer.by_cpu, ElementsAre(Pair(0, 2), Pair(1, 3)));
    EXPECT_EQ(dynamic.count, 7U);
    EXPECT_TRUE(dynamic.by_cpu.empty());
    EXPECT_EQ(row_of(ledger, "reader").count, 0U);
}

TEST(DropStats, TheSummaryLineListsOnlyReasonsWithLosses)
{
    DropStats ledger;
    EXPECT_EQ(output::losses_text(ledger.rows()), "");
    ledger.add(DropReason::Fault, 1, 0, {1, 1});
    ledger.add(DropReason::Overwritten, 1, 0, {1, 1});
    EXPECT_FALSE(output::has_losses(ledger.rows()));
    EXPECT_EQ(output::losses_text(ledger.rows()), "");
    ledger.add(DropReason::Nesting, 1, 0, {1, 1});
    ledger.add(DropReason::Buffer, 1'204, 0, {1, 1});
    EXPECT_TRUE(output::has_losses(ledger.rows()));
    EXPECT_EQ(output::losses_text(ledger.rows()), "lost: 1,204 records (no room in the buffer of a CPU), "
                                                  "1 clause (no free scratch memory: probes nested too deeply)");
}

TEST(DropStats, TheTableListsEveryReasonAndMarksReasonsThatAreNotCounted)
{
    DropStats ledger;
    ledger.add(DropReason::Buffer, 3, 1, {2'000'000'000, 2'500'000'000});
    ledger.cannot_count(DropReason::Recursion);
    const std::string table = output::drop_table(ledger.rows(), 1'000'000'000);
    EXPECT_THAT(table,
                HasSubstr("\n           3  records                 buffer: no room in the buffer of a CPU, on CPU 1, "
                          "between 1.000 and 1.500 s\n"));
    EXPECT_THAT(table, HasSubstr("\n           0  assignments             dynamic: no room for a dynamic variable\n"));
    EXPECT_THAT(table,
                HasSubstr("\n           -  firings                 recursion: the kernel skipped the program, "
                          "because a program was already running on that CPU; cannot be counted on this kernel\n"));
    EXPECT_THAT(table, HasSubstr("           -  firings                 throttled: "));
    EXPECT_THAT(output::drop_table(ledger.rows(), 0), HasSubstr("of a CPU, on CPU 1\n"));
}

TEST(DropStats, ACountThatTheKernelCannotCompleteIsAMinimum)
{
    DropStats ledger;
    ledger.cannot_count(DropReason::Recursion);
    ledger.add(DropReason::Recursion, 18, -1, {1, 2});
    EXPECT_THAT(output::drop_table(ledger.rows(), 0),
                HasSubstr("\n          18  firings                 recursion: the kernel skipped the program, because "
                          "a program was already running on that CPU; "
                          "a minimum, because this kernel cannot count all of them\n"));
}

TEST(DropStats, AnEstimatedCountIsInTheTableButNotInTheSummaryLine)
{
    DropStats ledger;
    ledger.estimate(DropReason::Throttled, 12, {1, 2});
    EXPECT_TRUE(row_of(ledger, "throttled").countable);
    EXPECT_EQ(output::losses_text(ledger.rows()), "");
    EXPECT_THAT(output::drop_table(ledger.rows(), 0),
                HasSubstr("\n          12  firings                 throttled: the kernel throttled or skipped a perf "
                          "event; estimated\n"));
}

/// Returns a program for the probes 5 and 6, which a timer with the given period fires.
ProgramPlan clock_program(uint64_t period, bool is_asynchronous = false, bool counts_runs = false)
{
    auto plan = std::make_shared<AttachPlan>();
    plan->period = period;
    plan->is_asynchronous = is_asynchronous;
    plan->counts_runs = counts_runs;
    ProgramPlan program;
    program.plan = plan;
    program.probes = {5, 6};
    return program;
}

TEST(MissedTicks, AreTheExpectedTicksMinusTheReceivedTicks)
{
    const std::vector<output::HitCounts> firings = {{6, "", 100}, {9, "", 3}};
    const auto skipped = [&](const ProgramPlan& program, uint64_t active) {
        return consume::missed_ticks(std::vector{program}, firings, active, 4);
    };
    EXPECT_EQ(skipped(clock_program(10), 260), 0U) << "26 on each CPU, of which one may be missing";
    EXPECT_EQ(skipped(clock_program(10), 300), 16U);
    EXPECT_EQ(skipped(clock_program(10, true), 300), 0U) << "30 on one CPU";
    EXPECT_EQ(skipped(clock_program(10, true), 1'200), 16U);
    EXPECT_EQ(skipped(clock_program(10, true, true), 9'000), 0U) << "asked for again";
    EXPECT_EQ(skipped(clock_program(0), 9'000), 0U) << "no clock";
    const std::vector both = {clock_program(10), clock_program(10)};
    EXPECT_EQ(consume::missed_ticks(both, firings, 300, 4), 66U)
        << "each counts 50 of 120, of which four may be missing";
}

TEST(DropStats, LossNoticesOfTheKernelAreCounted)
{
    DropStats ledger;
    ledger.add(output::Note{"COVERED", {{"processes", 9}, {"late", 2}, {"missed", 3}}, ""}, {1, 2});
    ledger.add(output::Note{"UNWOUND", {{"count", 4}}, ""}, {1, 2});
    ledger.add(output::Note{"FILES_UNREAD", {{"count", 5}}, ""}, {1, 2});
    EXPECT_EQ(row_of(ledger, "not_attached").count, 5U);
    EXPECT_EQ(row_of(ledger, "unwound").count, 4U);
    uint64_t all = 0;
    for (const DropRow& row : ledger.rows())
        all += row.count;
    EXPECT_EQ(all, 9U);
}

/// Loss counters of two CPUs, which the tests increase, and the drops that are reported from them.
struct Counted {
    Options options;
    test::MemoryFile file;
    Output output{file.descriptor()};
    test::Decoding unused;
    std::vector<dt_losses> counters{2};
    consume::Losses losses{options, output, unused.sink};

    Counted() { losses.attach(counters.data(), 2); }
    void report(unsigned occasion)
    {
        testing::internal::CaptureStderr();
        losses.report(occasion);
        testing::internal::GetCapturedStderr();
    }
};

TEST(DropStats, NoTwoLossCountersShareADropReason)
{
    Counted of;
    of.counters[0] = {.principal = 1, .aggregation = 2, .dynamic = 3, .speculation = 4, .spec_unavailable = 5};
    of.counters[1] = {.nesting = 6, .double_error = 7, .no_memory = 8};
    of.report(consume::kAtEnd);
    of.report(consume::kAtEnd);
    std::map<std::string_view, uint64_t> counts;
    for (const DropRow& row : of.losses.drops().rows())
        if (row.count != 0)
            counts[row.cause] = row.count;
    const std::map<std::string_view, uint64_t> expected = {
        {"buffer", 1},         {"aggregation", 2}, {"dynamic", 3},      {"speculation", 4},
        {"speculation_id", 5}, {"nesting", 6},     {"error_clause", 7}, {"aggregation_memory", 8}};
    EXPECT_EQ(counts, expected);
    EXPECT_THAT(row_of(of.losses.drops(), "nesting").by_cpu, ElementsAre(Pair(1, 6)));
}

TEST(DropStats, BufferLossesDuringABlockedReadAreAttributedToTheReader)
{
    Counted of;
    of.counters[0].principal = 1;
    of.report(consume::kEachPass);
    of.losses.note_stopped_reader();
    of.counters[0].principal = 11;
    // reports nothing, because a status check does not read the buffers' loss counters
    of.report(consume::kEachStatus);
    of.report(consume::kEachPass);
    of.counters[0].principal = 111;
    of.report(consume::kEachPass);
    EXPECT_EQ(row_of(of.losses.drops(), "buffer").count, 101U);
    EXPECT_EQ(row_of(of.losses.drops(), "reader").count, 10U);
}

TEST(DropStats, HitsSkippedByTheKernelHaveOneOfTwoReasons)
{
    Counted of;
    KernelLosses kernel([](int) { return 3; }, [](int) { return 4; });
    kernel.watch("fbt:::entry", 1, 2);
    of.losses.attach(kernel);
    of.report(consume::kEachStatus);
    EXPECT_EQ(row_of(of.losses.drops(), "recursion").count, 3U);
    EXPECT_EQ(row_of(of.losses.drops(), "missed").count, 4U);
    EXPECT_TRUE(row_of(of.losses.drops(), "missed").countable);
}

TEST(DropStats, CountersOfTheKernelAreReadRarelyUnlessRequested)
{
    Counted of;
    int asked = 0;
    uint64_t missed = 0;
    const auto count = [&](int) {
        ++asked;
        return missed;
    };
    KernelLosses kernel(count, count);
    kernel.watch("fbt:::entry", 1, -1);
    of.losses.attach(kernel);
    of.report(consume::kEachStatus);
    of.report(consume::kEachStatus);
    EXPECT_EQ(asked, 1);
    missed = 1;
    of.report(consume::kEachPass | consume::kAsked);
    EXPECT_EQ(asked, 2);
    // reads the counter again, because the counter had increased at the previous reading
    of.report(consume::kEachStatus);
    of.report(consume::kEachStatus);
    EXPECT_EQ(asked, 3);
    of.report(consume::kAtEnd);
    EXPECT_EQ(asked, 4);
    EXPECT_EQ(row_of(of.losses.drops(), "recursion").count, 1U);
}

TEST(DropStats, CountersThatTheKernelLacksAreReported)
{
    Counted of;
    KernelLosses kernel([](int) { return std::nullopt; }, [](int) { return 0; });
    kernel.watch("fbt:::entry", 1, 2);
    of.losses.attach(kernel);
    of.report(consume::kEachStatus);
    EXPECT_FALSE(row_of(of.losses.drops(), "recursion").countable);
    EXPECT_TRUE(row_of(of.losses.drops(), "missed").countable);
}

TEST(DropStats, KprobesWithoutMissCountersReportNoRecursionCount)
{
    Counted of;
    KernelLosses kernel([](int) { return 3; }, [](int) { return std::nullopt; });
    kernel.watch("fbt:::entry", 1, 2);
    of.losses.attach(kernel);
    of.report(consume::kEachStatus);
    EXPECT_FALSE(row_of(of.losses.drops(), "missed").countable);
    EXPECT_FALSE(row_of(of.losses.drops(), "recursion").countable);
    EXPECT_EQ(row_of(of.losses.drops(), "recursion").count, 3U);
}

/// Drop counts with a sink that prints lost intervals as "REASON COUNT on CPU, FROM to TO; ".
struct ShownLedger : test::Decoding {
    struct GapSink final : output::Sink {
        std::string text;
        void gap(const output::LostInterval& gap) override
        {
            text.append(gap.cause).append(" " + std::to_string(gap.count) + " on " + std::to_string(gap.cpu) + ", " +
                                          std::to_string(gap.from) + " to " + std::to_string(gap.to) + "; ");
        }
        void begin(const output::Line&) override {}
        void end(const output::Line&) override {}
        void value(const Datum&, const uint8_t*) override {}
        void stack(const Datum&, const uint8_t*) override {}
        void symbol(const Datum&, const uint8_t*) override {}
        void formatted(const format::BoundFormat&, const uint8_t*) override {}
        void memory(std::span<const uint8_t>) override {}
        void object(std::optional<uint64_t>, const Type*, std::span<const uint8_t>) override {}
        void packet(const output::Packet&) override {}
        void aggregations(Tables) override {}
        void aggregations(Tables, std::span<const format::BoundFormat>) override {}
        void unprinted(const output::Aggregation&) override {}
    } lines;
    DropStats ledger;
    consume::LostIntervals gaps{ledger, lines};

    ShownLedger() { gaps.begin(10); }
    static consume::Sample at(uint64_t time, uint32_t cpu, uint64_t missing = 0, uint64_t former = 0)
    {
        consume::Sample sample;
        sample.time = time;
        sample.cpu = cpu;
        sample.missing = missing;
        sample.former = former;
        return sample;
    }
    std::string shown(const consume::Sample& next)
    {
        gaps.show(next);
        return std::exchange(lines.text, {});
    }
};

TEST(LostIntervals, ALostIntervalIsPrintedBeforeTheNextRecordOfItsCpu)
{
    ShownLedger of;
    EXPECT_EQ(of.shown(ShownLedger::at(100, 0)), "");
    EXPECT_EQ(of.shown(ShownLedger::at(300, 0, 5, 100)), "buffer 5 on 0, 100 to 300; ");
    EXPECT_EQ(of.shown(ShownLedger::at(400, 1, 2)), "buffer 2 on 1, 10 to 400; ");
    EXPECT_EQ(of.shown(ShownLedger::at(500, 0)), "");
}

TEST(LostIntervals, RecordsDroppedByTheConsumerFormOneInterval)
{
    ShownLedger of;
    of.gaps.add(ShownLedger::at(110, 0), DropReason::Buffer);
    of.gaps.add(ShownLedger::at(120, 0, 3, 90), DropReason::Buffer);
    EXPECT_EQ(of.shown(ShownLedger::at(130, 1)), "");
    EXPECT_EQ(of.shown(ShownLedger::at(140, 0)), "buffer 5 on 0, 90 to 140; ");
}

TEST(LostIntervals, LossesOfABlockedReaderAreSeparateFromBufferLosses)
{
    ShownLedger of;
    of.ledger.add(DropReason::Reader, 4, 0, {1, 2});
    EXPECT_EQ(of.shown(ShownLedger::at(100, 0, 3, 50)), "reader 3 on 0, 50 to 100; ");
    EXPECT_EQ(of.shown(ShownLedger::at(200, 0, 3, 100)), "buffer 2 on 0, 100 to 200; reader 1 on 0, 100 to 200; ");
}

TEST(LostIntervals, TheIntervalOfASpeculationLossLiesBetweenTwoCounterReads)
{
    ShownLedger of;
    of.gaps.check(50);
    of.ledger.add(DropReason::Speculation, 4, 0, {50, 90});
    of.gaps.check(90);
    of.gaps.check(120);
    EXPECT_EQ(of.shown(ShownLedger::at(80, 1)), "");
    EXPECT_EQ(of.shown(ShownLedger::at(80, 0)), "speculation 4 on 0, 50 to 90; ");
    of.gaps.add(0, DropReason::Speculation, 1, 60);
    of.ledger.add(DropReason::Speculation, 1, 0, {60, 60});
    of.gaps.check(130);
    EXPECT_EQ(of.shown(ShownLedger::at(140, 0)), "speculation 1 on 0, 60 to 140; ");
}

TEST(LostIntervals, LossesAfterTheLastRecordAreShownAtTheEnd)
{
    ShownLedger of;
    of.ledger.add(DropReason::Buffer, 7, 0, {1, 2});
    of.ledger.add(DropReason::Buffer, 1, 3, {1, 2});
    EXPECT_EQ(of.shown(ShownLedger::at(100, 0, 2, 50)), "buffer 2 on 0, 50 to 100; ");
    of.gaps.finish(900);
    EXPECT_EQ(of.lines.text, "buffer 5 on 0, 100 to 900; buffer 1 on 3, 10 to 900; ");
}

/// A flight recorder (records stay in memory) with the given values of -x bufpolicy and bufsize. In bufsize, an integer
/// counts as 8 bytes (traditional_size()).
struct Kept : Counted {
    explicit Kept(const char* policy, const char* size)
    {
        options.put("bufpolicy", policy);
        options.put("bufsize", size);
        EXPECT_TRUE(retained.open(std::vector<StatementSchema>(1), {}));
    }
    void keep(uint64_t time, uint32_t data = 4, uint64_t missing = 0, uint64_t former = 0)
    {
        consume::Sample sample = ShownLedger::at(time, 0, missing, former);
        sample.stmt = 7; // without a schema for the statement, a sample's size is its own number of bytes
        sample.size = data;
        sample.data = bytes;
        retained.keep(sample);
    }
    /// Reads the flight recorder's samples. Returns their times and the losses between them, for example "10 12 full 2
    /// since 13; ".
    std::string replayed()
    {
        std::string text;
        retained.replay([&](const consume::Sample& sample) { text += std::to_string(sample.time) + " "; },
                        [&](uint32_t, DropReason cause, uint64_t count, uint64_t since) {
                            text.append(consume::name_of(cause)).append(" ");
                            text += std::to_string(count) + " since " + std::to_string(since) + "; ";
                        });
        return text;
    }
    uint8_t bytes[64] = {};
    consume::FlightRecorder retained{options.run(), losses};
};

TEST(FlightRecorder, TheFillPolicyKeepsTheFirstRecords)
{
    Kept of("fill", "16");
    for (const uint64_t time : {10, 12, 13, 15})
        of.keep(time);
    EXPECT_EQ(of.replayed(), "10 12 full 2 since 13; ");
}

TEST(FlightRecorder, TheRingPolicyKeepsTheLastRecordsAndReportsOversizedOnes)
{
    Kept of("ring", "16");
    of.keep(10);
    of.keep(11, 40);
    of.keep(12);
    EXPECT_EQ(of.replayed(), "10 buffer 1 since 11; 12 ");
    of.keep(20, 4, 5, 18);
    of.keep(21, 40);
    of.keep(22);
    of.keep(23); // the new sample evicts the sample with the time 20
    of.keep(24); // the new sample evicts the sample with the time 22
    EXPECT_EQ(of.replayed(), "buffer 6 since 18; 23 24 ");
}

} // namespace
} // namespace dt
