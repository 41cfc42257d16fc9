// Tests that a value of the maximum length (set by an option) counts as truncated, in records and in keys.
#include "libdtrace/losses/drop_stats.hpp"

#include "libdtrace_decode_support.hpp"

namespace dt {
namespace {

using consume::DropReason;
using test::Bytes;

Bytes limited(Bytes bytes, uint32_t limit)
{
    bytes.datums.back().limit = limit;
    return bytes;
}

std::optional<DropReason> cut(const Bytes& bytes)
{
    const std::vector<const Datum*> looked_at = consume::truncatable_data(bytes.datums);
    return looked_at.empty() ? std::nullopt : consume::truncation_of(*looked_at.back(), bytes.data.data());
}

TEST(Truncation, StringsOfMaximumLengthCountAsTruncated)
{
    EXPECT_EQ(cut(limited(Bytes().text("1234567", 16), 8)), std::nullopt);
    EXPECT_EQ(cut(limited(Bytes().text("12345678", 16), 8)), DropReason::StringCut);
    EXPECT_EQ(cut(limited(Bytes().text(std::string("123\0"
                                                   "5678",
                                                   8),
                                       16),
                          8)),
              std::nullopt)
        << "ended before";
    EXPECT_EQ(cut(Bytes().text("1234567812345678", 16)), std::nullopt) << "no option limits it";
    EXPECT_EQ(cut(Bytes().integer(int64_t{-1})), std::nullopt);
}

TEST(Truncation, StacksOfMaximumDepthCountAsTruncated)
{
    const auto kernel = Datum::Kind::Stack, user = Datum::Kind::UserStack;
    EXPECT_EQ(cut(limited(Bytes().words({1, 2, 0}, kernel), 3)), std::nullopt);
    EXPECT_EQ(cut(limited(Bytes().words({1, 2, 3}, kernel), 3)), DropReason::StackCut);
    EXPECT_EQ(cut(Bytes().words({1, 2, 3}, kernel)), std::nullopt) << "as deep as was asked for";
    EXPECT_EQ(cut(limited(Bytes().words({77, 1, 2, 0}, user), 3)), std::nullopt) << "the first word is the process";
    EXPECT_EQ(cut(limited(Bytes().words({77, 1, 2, 3}, user), 3)), DropReason::StackCut);
}

TEST(Truncation, UserStacksWithoutUnwindDataCountAsTruncated)
{
    const auto user = Datum::Kind::UserStack;
    EXPECT_EQ(cut(Bytes().words({77, 5, DT_FRAMES_INCOMPLETE, 0}, user)), DropReason::StackCut);
    EXPECT_EQ(cut(Bytes().words({77, 0, 0, 0}, user)), std::nullopt);
    EXPECT_EQ(cut(Bytes().words({5, DT_FRAMES_INCOMPLETE, 0}, Datum::Kind::Stack)), std::nullopt);
}

uint64_t counted(const consume::Losses& losses, std::string_view cause)
{
    for (const output::DropRow& row : losses.drops().rows())
        if (row.cause == cause)
            return row.count;
    return ~uint64_t{0};
}

TEST(Truncation, ValuesInRecordsAreCountedWhenTheyArePrinted)
{
    test::Decoding d;
    d.options.put("quiet");
    const uint32_t trace = d.statement("trace", limited(Bytes().text("", 16), 8));
    d.start();
    for (const char* text : {"short", "12345678", "123456789"})
        d.fire(trace, Bytes().text(text, 16));
    EXPECT_EQ(counted(d.losses, "string_cut"), 2U);
    EXPECT_EQ(counted(d.losses, "stack_cut"), 0U);
}

TEST(Truncation, EachTruncatedKeyIsCountedOnce)
{
    test::Aggregated d;
    const Bytes shape = limited(Bytes().text("", 16), 8);
    const uint32_t id = d.declare(AggKind::Count, shape);
    d.open();
    for (const char* text : {"short", "12345678", "87654321"})
        d.add(id, Bytes().text(text, 16), 1);
    d.printa({id});
    EXPECT_EQ(d.aggregations.truncated_keys().strings, 2U);
    d.pass(0, true);
    d.add(id, Bytes().text("12345678", 16), 1, 1);
    d.add(id, Bytes().text("abcdefgh", 16), 1);
    d.printa({id});
    EXPECT_EQ(d.aggregations.truncated_keys().strings, 3U);
    d.pass(0, true);
    ASSERT_TRUE(d.aggregations.truncate(id, 1));
    EXPECT_EQ(d.aggregations.truncated_keys().strings, 3U);
}

} // namespace
} // namespace dt
