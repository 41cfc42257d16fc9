// Tests restoring the aggregations of an earlier trace. Their keys contain ids of names, which may differ in the next
// program.
#include "libdtrace/aggregations/restored_aggregations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace dt::consume {
namespace {

using testing::ElementsAre;

/// Returns the bytes of an aggregation key that consists of a number and the id of a name.
std::string key(uint32_t number, uint32_t name)
{
    const uint32_t words[] = {number, name};
    return {reinterpret_cast<const char*>(words), sizeof words};
}

PackedEntries keyed(const std::vector<std::pair<std::string, int64_t>>& all)
{
    PackedEntries words(2 * sizeof(uint32_t), 1);
    for (const auto& [key, word] : all)
        words.add(reinterpret_cast<const uint8_t*>(key.data()), {&word, 1});
    return words;
}

TEST(RestoredNames, GetTheIdsThatTheNextProgramUses)
{
    AggregationValues values;
    values.shape.keys = {{Datum::Kind::Unsigned, 0, 4}, {Datum::Kind::Name, 4, 4}};
    values.names = {"read", "write", "close"};
    values.entries = keyed({{key(2, 0), 10}, {key(2, 2), 20}, {key(0, 2), 30}});

    std::vector<std::string> names = {"open", "read"};
    renumber_names(values, names);
    // Names that the next program does not contain get ids after its own names.
    EXPECT_THAT(names, ElementsAre("open", "read", "close"));
    EXPECT_EQ(values.names, names);
    EXPECT_EQ(values.entries, keyed({{key(2, 1), 10}, {key(2, 2), 20}, {key(0, 2), 30}}));
}

TEST(RestoredNames, KeysThatAreNoNamesAreUnchanged)
{
    AggregationValues values;
    values.shape.keys = {{Datum::Kind::Unsigned, 0, 4}, {Datum::Kind::Unsigned, 4, 4}};
    values.entries = keyed({{key(1, 1), 10}});
    std::vector<std::string> names = {"open"};
    renumber_names(values, names);
    EXPECT_THAT(names, ElementsAre("open"));
    EXPECT_EQ(values.entries, keyed({{key(1, 1), 10}}));
}

TEST(PackedEntries, RemovalKeepsTheOrderOfTheOtherEntries)
{
    PackedEntries all = keyed({{key(1, 1), 10}, {key(2, 1), 20}, {key(3, 1), 30}});
    all.remove({key(2, 1), key(4, 1)});
    EXPECT_EQ(all, keyed({{key(1, 1), 10}, {key(3, 1), 30}}));
}

TEST(RestoredAggregations, ControlGroupIdsAreNotRestored)
{
    AggregationSchema schema;
    schema.key_size = 8;
    schema.keys = {{Datum::Kind::Unsigned, 0, 8}};
    AggregationValues values{schema, {}, {}};
    EXPECT_EQ(RestoredAggregations::misfit(schema, values), "");
    schema.keys[0].kind = values.shape.keys[0].kind = Datum::Kind::Cgroup;
    EXPECT_EQ(RestoredAggregations::misfit(schema, values), "its keys are valid only in the run that stored them");
}

} // namespace
} // namespace dt::consume
