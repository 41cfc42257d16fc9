// Tests how the results of benchmark rounds are summarized, and how the result file is written.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <nlohmann/json.hpp>

#include "test/bench/agree.hpp"
#include "test/bench/report.hpp"

namespace {

using namespace dt::bench;

TEST(BenchFigure, MedianAndQuartilesAreInterpolatedBetweenNeighboringSamples)
{
    const Figure figure = figure_of({40, 10, absent, 30, 20});
    EXPECT_DOUBLE_EQ(figure.value, 25);
    EXPECT_DOUBLE_EQ(figure.low, 17.5);
    EXPECT_DOUBLE_EQ(figure.high, 32.5);
    EXPECT_DOUBLE_EQ(figure.least, 10);
}

TEST(BenchFigure, IsAbsentWithoutSamples)
{
    EXPECT_FALSE(figure_of({absent, absent}).there());
    EXPECT_FALSE(figure_of({}).there());
}

TEST(BenchFigure, EachRatioDividesTwoValuesOfTheSameRound)
{
    // A slow round affects both values of a ratio. Here the ratio is 1.5 in each round, although the ratio of the
    // medians is 3.
    EXPECT_DOUBLE_EQ(ratio_of({15, 30, 300}, {10, absent, 200}).value, 1.5);
}

TEST(BenchVerdict, ALimitOfTheRatioAppliesToTheMedianRatioOfTheRounds)
{
    Row row;
    row.ours = 120;
    row.hand = 100;
    EXPECT_EQ(verdict(row), "");
    row.hand_ratio = 1.1;
    EXPECT_EQ(verdict(row), "OVER");
    row.of_hand = 1.05;
    EXPECT_EQ(verdict(row), "within");
}

TEST(BenchReport, ReplacingASectionLeavesTheTextAroundItUnchanged)
{
    EXPECT_EQ(with_part("above\n<!-- cost begin -->\nold\n<!-- cost end -->\nbelow\n", "cost", "new\n"),
              "above\n<!-- cost begin -->\n\nnew\n\n<!-- cost end -->\nbelow\n");
    EXPECT_EQ(with_part("text\n", "cost", "new\n"), "text\n\n<!-- cost begin -->\n\nnew\n\n<!-- cost end -->\n");
}

TEST(BenchReport, JsonNamesTheMachineAndHasNullForAbsentValues)
{
    const std::string path = testing::TempDir() + "bench_report_test_" + std::to_string(getpid());
    Report report(Facts{{"kernel", "6.1"}});
    report.begin("cost");
    Row row;
    row.what = "count";
    row.ours = figure_of({1, 2, 3});
    report.add(row);
    report.problem("stack", "no such probe");
    ASSERT_TRUE(report.write_json(path));
    std::ifstream stream(path);
    const auto json = nlohmann::json::parse(stream);
    std::remove(path.c_str());
    EXPECT_EQ(json["machine"]["kernel"], "6.1");
    EXPECT_EQ(json["rows"][0]["dtrace"]["median"], 2);
    EXPECT_TRUE(json["rows"][0]["by hand"].is_null());
    EXPECT_EQ(json["rows"][1]["problem"], "no such probe");
}

std::string run_with(const char* count, const char* stack)
{
    return std::string(
               R"({"rows": [{"rows": "cost", "what": "count", "dtrace": {"median": 80}, "ratio to by hand": )") +
           count + R"(}, {"rows": "cost", "what": "stack", "dtrace": {"median": 1500}, "ratio to by hand": )" + stack +
           "}]}";
}

TEST(BenchAgreement, RowsAgreeIfFiguresDifferByAtMostTheGivenPercentage)
{
    const Agreement near = agreement_of(run_with("1.00", "1.10"), run_with("1.04", "1.06"), 5);
    EXPECT_EQ(near.rows, 2u);
    EXPECT_EQ(near.ratios, 2u);
    EXPECT_TRUE(near.agrees());
    EXPECT_EQ(agreement_of(run_with("1.06", "1.10"), run_with("1.00", "1.10"), 5).ratios, 1u);
}

TEST(BenchAgreement, RowsThatDifferAreNamed)
{
    const Agreement far = agreement_of(run_with("1.00", "1.10"), run_with("1.00", "1.43"), 5);
    EXPECT_FALSE(far.agrees());
    EXPECT_NE(far.text.find("RATIO   cost: stack: ratio to by hand 1.10, 1.43 (+30.0 %)"), std::string::npos)
        << far.text;
    EXPECT_EQ(far.text.find("count"), std::string::npos);
}

TEST(BenchAgreement, EachRatioOfARowIsComparedSeparately)
{
    const std::string row = R"({"rows": [{"what": "count", "ratio to by hand": 1.0, "ratio to bpftrace": )";
    const Agreement half = agreement_of(row + "0.5}]}", row + "0.7}]}", 5);
    EXPECT_NE(half.text.find("ratio to bpftrace alone: 0 of 1 rows\nratio to by hand alone: 1 of 1 rows\n"),
              std::string::npos)
        << half.text;
    EXPECT_EQ(agreement_of(run_with("1", "1"), run_with("1", "1"), 5).text.find("alone"), std::string::npos);
}

TEST(BenchAgreement, ReportsWithoutCommonRowsDoNotAgree)
{
    EXPECT_FALSE(agreement_of("not a file", run_with("1", "1"), 5).agrees());
    EXPECT_EQ(agreement_of("{}", "{}", 5).rows, 0u);
}

TEST(BenchReport, ABusyMachineIsReported)
{
    EXPECT_EQ(busy_line(0.1), "");
    EXPECT_EQ(busy_line(1.2), "**Taken on a busy machine**: others took 1.20 of its CPUs meanwhile.\n\n");
}

} // namespace
