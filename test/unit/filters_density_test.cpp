// Tests two parts of the filter experiments (test/bench/filters): density plots, and the bytecode of the stack machine.
#include <cmath>

#include <gmock/gmock.h>

#include "test/bench/filters/bytecode.hpp"
#include "test/bench/filters/density.hpp"

using namespace dt::bench::filters;
using testing::HasSubstr;

TEST(DensityPlot, AQuantileIsOneOfTheSamples)
{
    EXPECT_EQ(quantile({5, 1, 3}, 0), 1);
    EXPECT_EQ(quantile({5, 1, 3}, 0.5), 3);
    EXPECT_EQ(quantile({5, 1, 3}, 1), 5);
    EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(DensityPlot, EverySeriesIsNamedAndDrawn)
{
    const std::string text = svg({"file", "title", {{"panel", {{"fast", {1, 1.1, 0.9}}, {"slow", {50, 52, 48}}}}}});
    for (const char* part :
         {"title</text>", "panel</text>", ">fast<", ">slow<", "prefers-color-scheme:dark", ">10</text>"})
        EXPECT_THAT(text, HasSubstr(part));
    std::size_t curves = 0;
    for (std::size_t at = text.find("<path"); at != std::string::npos; at = text.find("<path", at + 1))
        curves++;
    EXPECT_EQ(curves, 2u);
}

TEST(DensityPlot, WithoutSamplesThereIsNoCurve)
{
    EXPECT_THAT(svg({"file", "title", {{"panel", {{"none", {}}}}}}), testing::Not(HasSubstr("<path")));
}

TEST(DensityPlot, MoreSamplesDoNotMakeALargerFile)
{
    std::vector<double> samples;
    for (int i = 1; i < 1000; i++)
        samples.push_back(i);
    const Panel panel{"panel", {{"a", samples}, {"b", samples}, {"c", samples}, {"d", samples}, {"e", samples}}};
    EXPECT_LT(svg({"file", "title", std::vector<Panel>(9, panel)}).size(), 300000u);
    EXPECT_LT(svg({"file", "title", {panel}}).size(), 30000u);
}

namespace {

bool equals(std::string_view pattern, const char* text)
{
    BytecodeWriter code;
    code.text(0, pattern);
    return interpret(code.take().data(), reinterpret_cast<const uint8_t*>(text));
}

} // namespace

TEST(FilterBytecode, AStarMatchesAnyRemainderOfAString)
{
    EXPECT_TRUE(equals("filt*", "filter"));
    EXPECT_TRUE(equals("filt*", "filt"));
    EXPECT_FALSE(equals("filt*", "fil"));
    EXPECT_TRUE(equals("lo", "lo"));
    EXPECT_FALSE(equals("lo", "lo0"));
    EXPECT_FALSE(equals("lo", "l"));
}

// The second comparison must not run, because the field that it reads is missing.
TEST(FilterBytecode, AFalseComparisonEndsTheFilter)
{
    const int64_t event = 5;
    BytecodeWriter code;
    code.number(Op::LoadS64, 0, Op::Greater, 5);
    code.number(Op::LoadText, 0, Op::Equal, 0);
    EXPECT_FALSE(interpret(code.take().data(), reinterpret_cast<const uint8_t*>(&event)));
}
