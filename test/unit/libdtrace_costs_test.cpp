// Tests how -x cost evaluates the times that BPF programs measure.
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "libdtrace/cost/cost_counters.hpp"
#include "test/support/probe_table.hpp"

namespace dt {
namespace {

using consume::CostCounters;

dt_cost cost(uint64_t fired, uint64_t counted, uint64_t timed, uint64_t ns)
{
    dt_cost result{};
    result.fired = fired;
    result.counted = counted;
    result.timed = timed;
    result.ns = ns;
    return result;
}

dt_cost_times times(std::initializer_list<std::pair<std::size_t, uint64_t>> buckets)
{
    dt_cost_times result{};
    for (const auto& [bucket, firings] : buckets)
        result.firings[bucket] += firings;
    return result;
}

TEST(Costs, RatesAreRelativeToTheTimeWithActiveProbes)
{
    test::ProbeTable probes;
    consume::Costs costs;
    costs.begin(1'000);
    EXPECT_EQ(costs.report(5'000, {}, probes, {}).elapsed, 4'000U);
    costs.end(6'000); // time with active probes; the later time for printing and reading symbols does not count
    EXPECT_EQ(costs.report(1'000'000, {}, probes, {}).elapsed, 6'000U);
}

TEST(Costs, TheCostsOfEntryAndReturnAreSeparate)
{
    AttachPlan plan; // an attach plan with raw tracepoint programs
    std::set<HookKind> kinds;
    for (const char* const where : {"sys_enter", "sys_exit", "sched_switch", "sched_wakeup"}) {
        plan.targets = {{where}};
        kinds.insert(plan.hook_kind());
    }
    EXPECT_EQ(kinds, (std::set<HookKind>{{plan.kind, HookKind::Path::Plain},
                                         {plan.kind, HookKind::Path::SyscallEntry},
                                         {plan.kind, HookKind::Path::SyscallExit}}));
}

TEST(Costs, TheCostOfAProbeIsTheSumOverCpusAndObjects)
{
    test::ProbeTable probes;
    probes.add(1, "syscall", "vmlinux", "write", "entry");
    const std::vector<dt_cost> first = {cost(10, 8, 2, 800), cost(20, 12, 3, 1200)}, later = {cost(1, 0, 0, 0)};
    const std::vector<CostCounters> counters = {{{{1, {0}}}, 2, first.data(), 0, nullptr, false},
                                                {{{1, {0}}}, 1, later.data(), 0, nullptr, false}};
    const auto all = consume::costs_by_probe(counters, {{HookKind{}, {50, 2}}}, probes);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].fired, 31U);
    EXPECT_EQ(all[0].program.timed, 5U);
    EXPECT_DOUBLE_EQ(all[0].program.mean, 100);
    EXPECT_DOUBLE_EQ(all[0].total(), 31 * (100 + 50));
    // The error of the sum is the error of the hook overhead, because the error of the program's time is unknown.
    EXPECT_DOUBLE_EQ(all[0].error(), 31 * 2);
    EXPECT_FALSE(consume::costs_by_probe(counters, {}, probes)[0].outside.has_value());
}

TEST(Costs, HitsOfItsProbesAreCountedForAClause)
{
    const std::vector<dt_cost> costs = {cost(10, 10, 1, 0), cost(5, 5, 1, 0)};
    std::vector<dt_cost_times> of_clauses = {times({{4, 15}}), times({{8, 5}})};
    of_clauses[0].ns = 15 * 4;
    of_clauses[1].ns = 5 * 8;
    const std::vector<CostCounters> counters = {
        {{{1, {0}}, {2, {0, 1}}}, 1, costs.data(), of_clauses.size(), of_clauses.data(), false}};
    std::vector<StatementSchema> statements(2);
    statements[1].clause = "syscall:::entry";
    const auto all = consume::costs_by_clause(counters, statements);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].fired, 15U);
    EXPECT_DOUBLE_EQ(all[0].program.mean, 4);
    EXPECT_EQ(all[1].fired, 5U);
    EXPECT_EQ(all[1].name, "syscall:::entry");
}

TEST(Costs, HitsInSamplingWindowsAreExtrapolatedByTime)
{
    test::ProbeTable probes;
    probes.add(1, "syscall", "vmlinux", "write", "entry");
    dt_cost seen = cost(1000, 1000, 10, 5000);
    seen.sampled = 900;
    CostCounters counters{{{1, {0}}}, 1, &seen, 0, nullptr, false};
    counters.places[0].timing_switch = 2;
    counters.timing_switches[2] = {1.5, 0.1, 100};
    const auto all = consume::costs_by_probe({counters}, {}, probes);
    ASSERT_EQ(all.size(), 1U);
    // 100 firings were counted all the time, and 900 in sampling windows. For the 900, the correction factor is 1.5.
    EXPECT_EQ(all[0].fired, 1450U);
    EXPECT_TRUE(all[0].is_estimate);
    // two errors: 135 from the uncertainty of the factor, and 300 from nine sampled firings that count as 100 each
    EXPECT_NEAR(all[0].fired_error, std::hypot(135, 300), 1e-6);
    EXPECT_DOUBLE_EQ(all[0].program.mean, 5);
}

TEST(Costs, HookCallsThatCauseNoHitHaveASeparateRow)
{
    const HookKind call{ProgramKind::RawTracepoint, HookKind::Path::SyscallEntry};
    const std::vector<dt_cost> costs = {cost(3, 3, 1, 30), cost(40, 0, 0, 0), cost(60, 0, 0, 0)};
    CostCounters counters{{{1, {0}}}, 1, costs.data(), 0, nullptr, false};
    counters.others = {{call, 0}, {call, 1}};
    const auto all = consume::costs_of_others({counters}, {{call, {50, 2}}});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].name, "(other system calls)");
    EXPECT_EQ(all[0].fired, 100U);
    EXPECT_DOUBLE_EQ(all[0].total(), 5000);
}

TEST(Costs, QuantilesAreInterpolatedWithinAHistogramBucket)
{
    const dt_cost_times some = times({{4, 99}, {12, 1}}); // sampled times: 99 of 4 to 5 ns, and one of 16 to 20 ns
    EXPECT_NEAR(consume::quantile(some, 0.5), 4.5, 0.1);
    EXPECT_NEAR(consume::quantile(some, 0.99), 5, 0.01);
    EXPECT_NEAR(consume::quantile(some, 0.995), 18, 0.1);
    EXPECT_EQ(consume::quantile(dt_cost_times{}, 0.99), 0);
}

TEST(Costs, InterruptedHitsAreExcludedFromTheTypicalTime)
{
    EXPECT_EQ(consume::usual_time(dt_cost_times{}), 0);
    dt_cost_times times{};
    times.firings[16] = 900; // bucket 16 counts times of 32 to 39 ns
    times.firings[17] = 100; // bucket 17 counts times of 40 to 47 ns
    const double usual = consume::usual_time(times);
    EXPECT_NEAR(usual, 36.8, 0.1);
    times.firings[60] = 10; // bucket 60 counts times of about 65 us, as interrupted firings have
    EXPECT_EQ(consume::usual_time(times), usual);
}

TEST(Costs, AMapIsCountedForEachClauseThatUsesIt)
{
    std::vector<output::Cost> clauses(3);
    for (uint32_t i = 0; i < 3; ++i)
        clauses[i].id = i;
    consume::add_sizes(clauses, {{0, {20, 64, {5}}}, {1, {30, 96, {5, 6, 7}}}}, {{5, 4096}, {6, 100}});
    EXPECT_EQ(clauses[0].size->maps, 4096U);
    EXPECT_EQ(clauses[1].size->instructions, 30U);
    EXPECT_EQ(clauses[1].size->stack, 96U);
    EXPECT_EQ(clauses[1].size->maps, 4196U);
    EXPECT_FALSE(clauses[2].size.has_value());
}

TEST(Costs, TheTableListsInstructionsStackAndMapsOfClauses)
{
    output::CostReport report;
    report.elapsed = 1'000'000'000;
    report.clauses.push_back({0, "a::c:d", 1000, {100, 200, 5000, 0.02, 500}, {}, {}, 0, {{1234, 96, 4097}}});
    report.clauses.push_back({1, "not::known", 1, {}, {}, {}, 0, {}});
    const std::string table = output::cost_table(report);
    EXPECT_NE(table.find("       MOST  % OF A CPU   INSNS STACK  MAPS KB  CLAUSE\n"), std::string::npos) << table;
    EXPECT_NE(table.find("      5,000       0.010   1,234    96        5  a::c:d\n"), std::string::npos) << table;
    EXPECT_NE(table.find("       -     -        -  not::known\n"), std::string::npos) << table;
}

TEST(Costs, TheTotalOfTheTableIsTheSumOverItsProbes)
{
    output::CostReport report;
    report.elapsed = 1'000'000'000;
    report.cpus = 2;
    report.tracer_time = 5'000'000;
    report.tracer_memory = 8 << 20;
    report.probes.push_back({1, "a:b:c:d", 1'000'000, {100, 200, 5000, 0.02, 500}, output::HookOverhead{50, 4}, {0}});
    const std::string table = output::cost_table(report);
    EXPECT_NE(table.find("   1,000,000  1,000,000    100.0      200      5,000     50.0      15.000  a:b:c:d\n"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("traced: 15.000 % of a CPU, 7.500 % of the machine"), std::string::npos) << table;
    EXPECT_NE(table.find("tracer: 0.500 % of a CPU, 8.0 MB"), std::string::npos) << table;
    report.max_memory = {48 << 20, 80 << 20};
    EXPECT_NE(
        output::cost_table(report).find("CPU, 8.0 MB of at most 80.0, and in the kernel 0.0 MB of at most 48.0\n"),
        std::string::npos);
    EXPECT_NE(table.find("timed: 500 of 1,000,000 firings"), std::string::npos) << table;
    EXPECT_NE(table.find("error of the total 4.0 %"), std::string::npos)
        << table; // combined from an error of 2 ns in 100 ns and an error of 4 ns in 50 ns
}

TEST(HookOverhead, ScalesWithTheCpuSpeed)
{
    const output::HookOverhead price{100, 10, 165, 1000, 140, 1600};
    EXPECT_EQ(price.at(0).ns, 100); // a CPU speed of 0 was not measured, so the cost is not scaled
    EXPECT_EQ(price.at(900).ns, 100);
    EXPECT_EQ(price.at(1300).ns, 120);
    EXPECT_EQ(price.at(1300).spread, 12);
    EXPECT_EQ(price.at(1600).ns, 140);
    EXPECT_EQ(price.at(5000).ns, 150); // a speed measurement of 5000 ns was interrupted, so the scale is limited
}

TEST(HookOverhead, ScalesByTwoThirdsWithoutAMeasuredSiblingLoad)
{
    const output::HookOverhead price{90, 9, 165, 1000};
    EXPECT_NEAR(price.at(1500).ns, 120, 1e-9);
    EXPECT_NEAR(price.at(700).ns, 72, 1e-9); // the CPU is now faster than at the measurement of the overhead
    EXPECT_NEAR(price.at(9000).ns, 150, 1e-9);
    EXPECT_NEAR(price.at(1500).spread, 12, 1e-9);
}

TEST(HookOverhead, IsNotScaledWithoutAMeasuredCpuSpeed)
{
    EXPECT_EQ((output::HookOverhead{100, 10}).at(1000).ns, 100);
}

} // namespace
} // namespace dt
