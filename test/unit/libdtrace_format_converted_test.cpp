// Tests the conversion of recorded numbers to texts, such as symbol names, by the consumer.
#include <gtest/gtest.h>

#include <ctime>

#include "libdtrace/format/converted_texts.hpp"
#include "test/unit/libdtrace_support.hpp"

namespace {

using dt::Datum;
using dt::format::time_text;

TEST(TimeText, HasTheConversionsOfStrftime)
{
    const time_t seconds = 1'000'000'000;
    tm local{};
    localtime_r(&seconds, &local);
    char expected[64];
    std::strftime(expected, sizeof expected, "%Y-%m-%d %H:%M:%S %Z", &local);
    EXPECT_EQ(time_text("%Y-%m-%d %H:%M:%S %Z", seconds * 1'000'000'000 + 999'999'999), expected);
    EXPECT_EQ(time_text("%s", seconds * 1'000'000'000), "1000000000");
    EXPECT_EQ(time_text("100%%", 0), "100%");
}

TEST(TimeText, HasSixDigitsOfMicroseconds)
{
    EXPECT_EQ(time_text("%s.%f", 7'000'008'999), "7.000008");
    EXPECT_EQ(time_text("%f%f", 123'456'000), "123456123456");
    EXPECT_EQ(time_text("%%f", 0), "%f");
}

TEST(TimeText, IsRoundedDownBeforeTheEpoch)
{
    EXPECT_EQ(time_text("%s.%f", -1), "-1.999999");
    EXPECT_EQ(time_text("%s.%f", -1'000'000'000), "-1.000000");
}

TEST(TimeText, MayBeLong)
{
    EXPECT_EQ(time_text("%05000Y", 0).size(), 5000U);
    EXPECT_EQ(time_text("%0100000Y", 0), "");
}

TEST(ConvertedTexts, ArePrintedAsTexts)
{
    dt::test::Surroundings world;
    world.names = {"%S", "%s"};
    dt::test::Bytes record = dt::test::Bytes().words({5'000'000'000}, Datum::Kind::Converted);
    record.datums[0].constant = 1;
    EXPECT_EQ(dt::test::print(world, "[%3s]", record), "[  5]");
    record.datums[0].constant = 9;
    EXPECT_EQ(dt::test::print(world, "[%s]", record), "[]");
}

TEST(EnumerationNames, AreThoseOfTheValues)
{
    const dt::format::Enumeration states("4\n0 Idle\n1 Running\n-1 Dead\n1 Alias\n");
    EXPECT_EQ(states.text(0), "Idle");
    EXPECT_EQ(states.text(1), "Running");
    EXPECT_EQ(states.text(-1), "Dead");
    EXPECT_EQ(states.text(0xffffffff), "Dead");
    EXPECT_EQ(states.text(2), "2");
    EXPECT_EQ(states.text(-7), "-7");
}

TEST(EnumerationNames, OfFlagsAreJoined)
{
    const dt::format::Enumeration flags("4\n0 None\n1 Read\n2 Write\n-2147483648 Last\n");
    EXPECT_EQ(flags.text(0), "None");
    EXPECT_EQ(flags.text(3), "Read|Write");
    EXPECT_EQ(flags.text(0x80000001), "Read|Last");
    EXPECT_EQ(flags.text(5), "5");
    EXPECT_EQ(dt::format::Enumeration("4\n1 A\n2 B\n").text(3), "3");
    EXPECT_EQ(dt::format::Enumeration("4\n1 A\n2 B\n4 C\n3 D\n").text(5), "5");
}

TEST(EnumerationNames, MayHaveEightBytes)
{
    const dt::format::Enumeration large("8\n-1 All\n4294967296 Big\n");
    EXPECT_EQ(large.text(-1), "All");
    EXPECT_EQ(large.text(0xffffffff), "4294967295");
    EXPECT_EQ(large.text(4294967296), "Big");
}

TEST(EnumerationNames, DamagedDescriptionsHaveNoNames)
{
    EXPECT_EQ(dt::format::Enumeration("").text(7), "7");
    EXPECT_EQ(dt::format::Enumeration("x\n\n7\n").text(8), "8");
}

TEST(ConvertedTexts, AnIdWithoutNameIsPrintedAsANumber)
{
    dt::test::Surroundings world;
    dt::test::Bytes record = dt::test::Bytes();
    for (const uint64_t id : {4294967294, 0L, 4294967294})
        record.words({id}, Datum::Kind::Converted);
    record.datums[0].conversion = record.datums[1].conversion = Datum::Conversion::User;
    record.datums[2].conversion = Datum::Conversion::Group;
    EXPECT_EQ(dt::test::print(world, "%s %s %s", record), "4294967294 root 4294967294");
}

} // namespace
