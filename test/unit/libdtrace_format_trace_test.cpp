// Tests the widths of trace(), hex dumps (dtrace-output(7), VALUES), and keys (dtrace-aggregations(7), PRINTING AND
// CHANGING).
#include "libdtrace/format/text.hpp"
#include "libdtrace_support.hpp"

using namespace dt;
using dt::test::Bytes;
using dt::test::Surroundings;
using dt::test::trace;

namespace {

std::string key(Surroundings& world, const Bytes& record)
{
    format::Text out;
    format::append_key(out, world.env, record.datums[0], record.data.data());
    return std::string(out.view());
}

constexpr std::string_view kDumpHeading =
    "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n";

} // namespace

TEST(TraceAction, IntegersArePaddedToTheWidthOfTheirType)
{
    Surroundings world;
    EXPECT_EQ(trace(world, Bytes().integer<int8_t>(-3)), "  -3");
    EXPECT_EQ(trace(world, Bytes().integer<uint8_t>(200)), " 200");
    EXPECT_EQ(trace(world, Bytes().integer<int16_t>(-4)), "    -4");
    EXPECT_EQ(trace(world, Bytes().integer<uint16_t>(4)), "     4");
    EXPECT_EQ(trace(world, Bytes().integer<int32_t>(-6)), "         -6");
    EXPECT_EQ(trace(world, Bytes().integer<uint32_t>(7)), "          7");
    EXPECT_EQ(trace(world, Bytes().integer<int64_t>(-8)), "                  -8");
    EXPECT_EQ(trace(world, Bytes().integer<uint64_t>(9)), "                    9");
}

TEST(TraceAction, AStringIsPaddedButNotTruncated)
{
    Surroundings world;
    EXPECT_EQ(trace(world, Bytes().text("hello", 16)), "  hello" + std::string(28, ' '));
    const std::string long_text(40, 'x');
    EXPECT_EQ(trace(world, Bytes().text(long_text, 64)), "  " + long_text);
}

TEST(TraceAction, QuietModePrintsValuesWithoutPadding)
{
    Surroundings world;
    world.options.put("quiet");
    EXPECT_EQ(trace(world, Bytes().integer(-6)), "-6");
    EXPECT_EQ(trace(world, Bytes().text("hello", 16)), "hello");
}

TEST(TraceAction, AnArrayIsDumpedInHexadecimal)
{
    Surroundings world;
    EXPECT_EQ(trace(world, Bytes().array("AB")),
              std::string(kDumpHeading) + "         0: 41 42" + std::string(14 * 3, ' ') + "  AB\n");
}

TEST(TraceAction, TheRawbytesOptionDumpsAllValues)
{
    Surroundings world;
    world.options.put("rawbytes");
    EXPECT_EQ(trace(world, Bytes().integer<uint16_t>(0x4241)),
              std::string(kDumpHeading) + "         0: 41 42" + std::string(14 * 3, ' ') + "  AB\n");
}

TEST(TraceAction, AStackIsIndented)
{
    Surroundings world;
    EXPECT_EQ(trace(world, Bytes().words({0x10, 0x20, 0}, Datum::Kind::Stack)),
              "\n              0x10\n              0x20\n");
    world.options.put("stackindent", "2");
    EXPECT_EQ(trace(world, Bytes().words({1, 0x30, 0}, Datum::Kind::UserStack)), "\n  0x30\n");
}

TEST(Hexdump, PrintsTheExampleOfTheManualExactly)
{
    const std::string text = "Linux version 6.1.0-56-amd64 (debian-ker";
    format::Text out;
    format::append_hexdump(out, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    EXPECT_EQ(out.view(), "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
                          "         0: 4c 69 6e 75 78 20 76 65 72 73 69 6f 6e 20 36 2e  Linux version 6.\n"
                          "        10: 31 2e 30 2d 35 36 2d 61 6d 64 36 34 20 28 64 65  1.0-56-amd64 (de\n"
                          "        20: 62 69 61 6e 2d 6b 65 72                          bian-ker\n");
}

TEST(Hexdump, AnArrayOfZeroBytesPrintsNothing)
{
    format::Text out;
    format::append_hexdump(out, {});
    EXPECT_TRUE(out.empty());
}

TEST(PrintedKey, IntegersArePrintedWithTheWidthAndSignOfTheirType)
{
    Surroundings world;
    EXPECT_EQ(key(world, Bytes().integer<int64_t>(-1)), "               -1");
    EXPECT_EQ(key(world, Bytes().integer<uint64_t>(UINT64_MAX)), " 18446744073709551615");
    EXPECT_EQ(key(world, Bytes().integer<int32_t>(-1)), "       -1");
    EXPECT_EQ(key(world, Bytes().integer<uint32_t>(UINT32_MAX)), " 4294967295");
    EXPECT_EQ(key(world, Bytes().integer<int16_t>(-1)), "    -1");
    EXPECT_EQ(key(world, Bytes().integer<uint16_t>(UINT16_MAX)), " 65535");
    EXPECT_EQ(key(world, Bytes().integer<int8_t>(-6)), "  -6");
    EXPECT_EQ(key(world, Bytes().integer<int8_t>(2)), "   2");
}

TEST(PrintedKey, AStringIsPaddedToFiftyColumns)
{
    Surroundings world;
    EXPECT_EQ(key(world, Bytes().text("abc", 16)), "  abc" + std::string(47, ' '));
    EXPECT_EQ(key(world, Bytes().array(std::string("a\tb\0\0", 5))), "  a\tb" + std::string(47, ' '));
}

TEST(PrintedKey, BytesThatAreNotTextAreDumpedCompletely)
{
    Surroundings world;
    EXPECT_EQ(key(world, Bytes().array(std::string("a\0b", 3))),
              std::string(kDumpHeading) + "         0: 61 00 62" + std::string(13 * 3, ' ') + "  a.b\n");
}

TEST(PrintedKey, AnEmptyStringIsDumpedInTheLengthOfStrsize)
{
    Surroundings world;
    world.env.strsize = 16;
    EXPECT_EQ(key(world, Bytes().text("", 8)),
              std::string(kDumpHeading) +
                  "         0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................\n");
}

TEST(PrintedKey, TheRawbytesOptionDumpsStrings)
{
    Surroundings world;
    world.options.put("rawbytes");
    EXPECT_EQ(key(world, Bytes().array("AB")),
              std::string(kDumpHeading) + "         0: 41 42" + std::string(14 * 3, ' ') + "  AB\n");
}

TEST(PrintedKey, SymbolsArePaddedToFiftyColumns)
{
    Surroundings world;
    EXPECT_EQ(key(world, Bytes().words({0x1234}, Datum::Kind::Symbol)), "  0x1234" + std::string(44, ' '));
    EXPECT_EQ(key(world, Bytes().words({0, 0x99}, Datum::Kind::UserSymbol)), "  0x99" + std::string(46, ' '));
}
