// Tests keys of more than 512 bytes on kernels whose hash maps refuse them (Features::long_keys).
#include <gmock/gmock.h>

#include <cstring>

#include "test/unit/lower_run.hpp"

namespace dt::long_keys {
namespace {

using test::DProgram;

constexpr uint32_t kText = 264; // size in bytes of a string in a key, with the default strsize

/// Compiles `clauses` for a kernel without long keys. The variables s and t get strings of 65 characters, which are too
/// long for short keys.
DProgram compiled(const std::string& clauses)
{
    auto world = std::make_unique<test::FrozenWorld>();
    world->tried.long_keys = false;
    const std::string one(65, 'x'), other(65, 'y');
    return DProgram("string s, t; BEGIN { s = \"" + one + "\"; t = \"" + other + "\"; " + clauses + " }", 2, {}, 0,
                    std::move(world));
}

/// Returns the keys of the first aggregation, each with the first word of its data. Long keys are stored in the values
/// of the map.
std::map<std::string, uint64_t> counts(DProgram& program)
{
    std::map<std::string, uint64_t> found;
    const AggregationSchema& schema = program.schema().aggregations[0];
    const CpuElements elements(schema);
    vm::Map& map = *program.vm().map(schema.map);
    for (const vm::Bytes& key : map.keys()) {
        const auto value = map.value(key);
        const char* const text = reinterpret_cast<const char*>(value.data());
        std::memcpy(&found[std::string(text) + "," + (text + kText)], elements.words(value.data()), sizeof(uint64_t));
    }
    return found;
}

TEST(LongKeys, ADigestIsTheKeyAndTheValueBeginsWithTheKeyItself)
{
    DProgram program = compiled("@[s, t] = count(); @[t, s] = count(); @[s, t] = count();");
    ASSERT_EQ(program.fire("BEGIN").problem, "");
    const std::string one(65, 'x'), other(65, 'y');
    EXPECT_THAT(counts(program),
                testing::ElementsAre(std::pair(one + "," + other, 2), std::pair(other + "," + one, 1)));
    EXPECT_EQ(program.vm().map("agg_0")->spec().key_size, 24U);
}

TEST(LongKeys, ShortKeysStayInTheMapOfShortKeys)
{
    DProgram program = compiled("t = \"short\"; @[s, t] = count();");
    ASSERT_EQ(program.fire("BEGIN").problem, "");
    EXPECT_TRUE(counts(program).empty());
    EXPECT_EQ(program.vm().map("agg_0_short")->keys().size(), 1U);
}

TEST(LongKeys, ShortKeysThatAreTooLongThemselvesHaveNoMap)
{
    DProgram program = compiled("@[s, t, s] = quantize(7);");
    ASSERT_EQ(program.fire("BEGIN").problem, "");
    EXPECT_EQ(program.vm().map("agg_0_short"), nullptr);
    EXPECT_EQ(program.vm().map("agg_0")->keys().size(), 1U);
}

TEST(LongKeys, KeysThatFitWithTheCpuNumberAreStoredWhole)
{
    DProgram program = compiled("@[s, 1, 2, 3, 4] = count(); @b[s, t] = count();");
    ASSERT_EQ(program.problem(), "");
    EXPECT_FALSE(program.schema().aggregations[0].digested);
    EXPECT_TRUE(program.schema().aggregations[1].digested);
}

TEST(LongKeys, ElementsOfArraysAreFoundByTheDigest)
{
    DProgram program = compiled("a[s, t] = 7; a[t, s] = 8; a[s, t]++; trace(a[s, t]); trace(a[t, s]); trace(a[s, s]);"
                                " a[t, s] = 0;");
    const auto firing = program.fire("BEGIN");
    ASSERT_EQ(firing.problem, "");
    EXPECT_THAT(firing.values, testing::ElementsAre("8", "8", "0"));
    EXPECT_EQ(program.vm().map("arr_2")->keys().size(), 1U);
    EXPECT_EQ(program.vm().map("arr_2")->spec().key_size, 16U);
}

TEST(LongKeys, KernelsWithLongKeysStoreTheKeysThemselves)
{
    DProgram program("string s, t; BEGIN { @[s, t] = count(); a[s, t] = 1; }");
    ASSERT_EQ(program.problem(), "");
    EXPECT_FALSE(program.schema().aggregations[0].digested);
    EXPECT_EQ(program.vm().map("agg_0")->spec().key_size, 2 * kText);
}

} // namespace
} // namespace dt::long_keys
