// Tests the counts of -x hits: sums over CPUs and loaded BPF objects, records that the consumer drops, and the check
// that every firing was filtered, recorded or lost.
#include <gtest/gtest.h>

#include <utility>

#include "libdtrace/losses/hit_counts.hpp"
#include "libdtrace_decode_support.hpp"

namespace dt {
namespace {

using consume::DiscardedHits;
using consume::DropReason;
using consume::DropStats;
using consume::HitCounters;
using output::HitCounts;

HitCounts firings(uint64_t fired, uint64_t filtered, uint64_t recorded, uint64_t lost)
{
    return {1, "a:b:c:entry", fired, filtered, recorded, lost};
}

std::string refusal(const std::vector<HitCounts>& all, const DropStats& ledger)
{
    const Result<void> checked = consume::check_hits(all, ledger);
    return checked ? "" : checked.error().message;
}

TEST(HitCounts, HitsAreSummedOverCpusAndObjects)
{
    test::Decoding with;
    const std::vector<dt_hits> first = {{1, 2, 3, 6}, {10, 20, 30, 60}}, later = {{0, 5, 0, 5}};
    const std::vector<HitCounters> counters = {{{{1, {}}}, 2, first.data()}, {{{1, {}}}, 1, later.data()}};
    const auto all = consume::firings_by_probe(counters, DiscardedHits(true), std::nullopt, with.probes);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].fired, 71U);
    EXPECT_EQ(all[0].filtered, 11U);
    EXPECT_EQ(all[0].recorded, 27U);
    EXPECT_EQ(all[0].lost, 33U);
    EXPECT_TRUE(all[0].adds_up());
}

TEST(HitCounts, HitsWithDroppedRecordsCountAsLost)
{
    test::Decoding with;
    const std::vector<dt_hits> memory = {{1, 4, 0, 5}};
    DiscardedHits discarded_hits(true);
    DiscardedHits::Seen seen;
    consume::Sample sample;
    sample.probe = 1;
    discarded_hits.add(sample, seen);
    const auto all =
        consume::firings_by_probe({{{{1, {}}}, 1, memory.data()}}, discarded_hits, std::nullopt, with.probes);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].recorded, 3U);
    EXPECT_EQ(all[0].lost, 1U);
    EXPECT_TRUE(all[0].adds_up());
}

/// Returns the counts of a probe with 10 firings: 6 were not executed because of sampling (-x maxcost), and one was
/// filtered.
HitCounts behind_gate(bool continues)
{
    test::Decoding with;
    const std::vector<dt_hits> memory = {{1, 3, 0, 4}};
    std::vector<dt_sampling> sampling(2);
    sampling[0].seen = 6;
    sampling[1].seen = 4;
    const std::vector<HitCounters> counters = {
        {{{1, {}, {}, continues}}, 1, memory.data(), 0, 0, nullptr, 2, sampling.data()}};
    return consume::firings_by_probe(counters, DiscardedHits(true), std::nullopt, with.probes).at(0);
}

TEST(HitCounts, SampledOutHitsAreCounted)
{
    const HitCounts all = behind_gate(false);
    EXPECT_EQ(all.fired, 10U);
    EXPECT_EQ(all.sampled_out, 6U);
    EXPECT_EQ(all.filtered, 1U);
    EXPECT_TRUE(all.adds_up());
}

TEST(HitCounts, ReturnsWhoseEntryWasNotSampledCountAsFiltered)
{
    const HitCounts all = behind_gate(true);
    EXPECT_EQ(all.sampled_out, 0U);
    EXPECT_EQ(all.filtered, 7U);
    EXPECT_TRUE(all.adds_up());
}

TEST(HitCounts, TheColumnForSampledOutHitsExistsOnlyIfThereAreAny)
{
    const std::string clauses = "\n       FIRED     FILTERED     RECORDED         LOST  CLAUSE\n";
    std::vector<HitCounts> all = {firings(6, 1, 5, 0)};
    EXPECT_EQ(output::firings_table({}, all), clauses +
                                                  "\n       FIRED     FILTERED     RECORDED         LOST  PROBE\n"
                                                  "           6            1            5            0  a:b:c:entry\n");
    all[0].fired += all[0].sampled_out = 4;
    EXPECT_EQ(output::firings_table({}, all),
              clauses + "\n       FIRED     FILTERED     RECORDED         LOST  SAMPLED OUT  PROBE\n"
                        "          10            1            5            0            4  a:b:c:entry\n");
}

TEST(HitCounts, ClauseHitsAreSummedOverCpusAndObjects)
{
    const std::vector<dt_hits> first = {{1, 2, 3, 6}, {9, 0, 0, 9}, {0, 0, 0, 0}, {10, 20, 30, 60}, {}, {}},
                               later = {{0, 5, 0, 5}, {}, {}};
    const std::vector<HitCounters> counters = {{{{1, {0, 2}}}, 0, nullptr, 3, 2, first.data()},
                                               {{{7, {0}}}, 0, nullptr, 3, 1, later.data()}};
    std::vector<StatementSchema> statements(3);
    statements[0].clause = "a:::entry";
    const auto all = consume::firings_by_clause(counters, DiscardedHits(true), std::nullopt, statements);
    ASSERT_EQ(all.size(), 2U); // two rows for three statements, because the second statement belongs to no probe
    EXPECT_EQ(all[0].name, "a:::entry");
    EXPECT_EQ(all[0].fired, 71U);
    EXPECT_EQ(all[0].recorded, 27U);
    EXPECT_TRUE(all[0].adds_up());
    EXPECT_EQ(all[1].id, 2U);
    EXPECT_EQ(consume::firings_by_clause(counters, DiscardedHits(true), 1, statements)[0].fired, 65U);
}

TEST(HitCounts, DropsAndFaultsAreAttributedToTheirClauses)
{
    DiscardedHits discarded_hits(true);
    DiscardedHits::Seen seen;
    consume::Sample sample;
    sample.stmt = 2;
    discarded_hits.add(sample, seen);
    const dt_fault fault{1, 0, 0, 0};
    sample.stmt = DT_STMT_FAULT;
    sample.data = reinterpret_cast<const uint8_t*>(&fault);
    sample.size = sizeof fault;
    sample.continues = true; // marks the sample as a further sample of the same firing
    discarded_hits.add(sample, seen);
    EXPECT_EQ(discarded_hits.of_clause(1), 1U);
    EXPECT_EQ(discarded_hits.of_clause(2), 1U);
    EXPECT_EQ(discarded_hits.of(0), 1U);
}

TEST(HitCounts, TheErrorNamesProbesWithHitsThatHaveNoOutcome)
{
    DropStats ledger;
    EXPECT_EQ(refusal({firings(6, 1, 5, 0)}, ledger), "");
    EXPECT_EQ(refusal({firings(6, 1, 5, 0), firings(7, 1, 5, 0)}, ledger),
              "firings do not add up: a:b:c:entry fired 7, filtered 1, recorded 5, lost 0, sampled out 0");
    EXPECT_NE(refusal({firings(5, 1, 5, 0)}, ledger), "");
}

TEST(HitCounts, EachLostHitIsAlsoCountedUnderADropReason)
{
    DropStats ledger;
    EXPECT_EQ(refusal({firings(6, 1, 3, 2)}, ledger),
              "firings do not add up: 2 were lost or sampled out, but the drop reasons account for 0");
    ledger.add(DropReason::Buffer, 1, 0, {});
    EXPECT_NE(refusal({firings(6, 1, 3, 2)}, ledger), "");
    ledger.add(DropReason::Dynamic, 1, 0, {});
    EXPECT_EQ(refusal({firings(6, 1, 3, 2)}, ledger), "");
}

} // namespace
} // namespace dt
