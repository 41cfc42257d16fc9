// Tests which maps hold the keys of an aggregation: short keys are in a separate map.
#include <gmock/gmock.h>

#include "test/unit/lower_run.hpp"

namespace {

using dt::test::DProgram;

std::size_t keys_in(DProgram& program, const char* map)
{
    EXPECT_EQ(program.problem(), "");
    return program.vm().map(map)->keys().size();
}

TEST(AggregationKeys, ShortAndLongStringsAreInSeparateMaps)
{
    const std::string just(64, 'x'), more(65, 'x');
    DProgram program("string s; BEGIN { s = \"short\"; @[s] = count(); s = \"" + just + "\"; @[s] = count(); s = \"" +
                     more + "\"; @[s] = count(); }");
    ASSERT_EQ(program.problem(), "");
    EXPECT_EQ(program.fire("BEGIN").problem, "");
    EXPECT_EQ(keys_in(program, "agg_0_short"), 2u);
    EXPECT_EQ(keys_in(program, "agg_0"), 1u);
    EXPECT_EQ(program.vm().map("agg_0_short")->spec().key_size, 64u);
}

TEST(AggregationKeys, StringsThatMayBeShortAreStoredAtTheEndOfTheKey)
{
    DProgram program("string s; BEGIN { @[s, 7] = count(); s = \"b\"; @[s, 7] = count(); }");
    ASSERT_EQ(program.problem(), "");
    EXPECT_EQ(program.fire("BEGIN").problem, "");
    EXPECT_EQ(keys_in(program, "agg_0_short"), 2u);
    const auto& keys = program.schema().aggregations[0].keys;
    EXPECT_GT(keys[0].offset, keys[1].offset);
}

TEST(AggregationKeys, AnAggregationWithSmallKeysHasOneMap)
{
    DProgram program("BEGIN { @[1, execname] = count(); }");
    ASSERT_EQ(program.problem(), "");
    EXPECT_EQ(program.vm().map("agg_0_short"), nullptr);
}

} // namespace
