// Tests printf conversions: dtrace-output(7), FORMATS.
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "libdtrace_support.hpp"

using namespace dt;
using dt::test::Bytes;
using dt::test::print;
using dt::test::Surroundings;

namespace {

std::string one(const std::string& format, int32_t value)
{
    return print(format, Bytes().integer(value));
}

std::string one_text(const std::string& format, const std::string& value)
{
    return print(format, Bytes().text(value, 32));
}

// Tests %Y and %T. The time zone of these tests is UTC.
class PrintfTime : public testing::Test {
protected:
    void SetUp() override
    {
        setenv("TZ", "UTC", 1);
        tzset();
    }
};

} // namespace

TEST(Printf, PrintsTheExampleOfIntegersInTheManual)
{
    Bytes r;
    for (const int value : {42, 42, 42, 42, 42, 255, 255, 8, 65, 10})
        r.integer(value);
    EXPECT_EQ(print("[%5d][%-5d][%05d][%+d][% d][%x][%#x][%o][%c][%C]\n", r),
              "[   42][42   ][00042][+42][ 42][ff][0xff][10][A][\\n]\n");
}

TEST(Printf, PrintsTheExampleOfStringsInTheManual)
{
    Bytes r;
    r.text("str", 8)
        .text("str", 8)
        .text("str", 8)
        .text("string", 8)
        .integer<int64_t>(0xdeadbeef)
        .integer(-1)
        .integer(-5);
    EXPECT_EQ(print("[%s][%10s][%-10s][%.3s][%p][%u][%i]\n", r),
              "[str][       str][str       ][str][deadbeef][4294967295][-5]\n");
}

TEST_F(PrintfTime, PrintsTheExampleOfTimesInTheManual)
{
    Bytes r;
    r.integer<uint64_t>(0).integer<uint64_t>(1000000000000000000);
    EXPECT_EQ(print("%Y|%T\n", r), "1970 Jan  1 00:00:00|Sun, 09 Sep 2001 01:46:40 UTC\n");
}

TEST_F(PrintfTime, TheWidthAppliesToTimes)
{
    EXPECT_EQ(print("[%22Y]", Bytes().integer<uint64_t>(0)), "[  1970 Jan  1 00:00:00]");
}

TEST(Printf, DecimalConversionsUseTheSignednessOfTheArgument)
{
    EXPECT_EQ(print("%d", Bytes().integer<uint8_t>(255)), "255");
    EXPECT_EQ(print("%d", Bytes().integer<int8_t>(-1)), "-1");
    EXPECT_EQ(print("%d", Bytes().integer<int16_t>(-2)), "-2");
    EXPECT_EQ(print("%d", Bytes().integer<uint64_t>(UINT64_MAX)), "18446744073709551615");
    EXPECT_EQ(print("%d", Bytes().integer<int64_t>(INT64_MIN)), "-9223372036854775808");
}

TEST(Printf, UnsignedConversionsUseTheSizeOfTheArgument)
{
    EXPECT_EQ(print("%u", Bytes().integer<int8_t>(-1)), "255");
    EXPECT_EQ(print("%x", Bytes().integer<int16_t>(-1)), "ffff");
    EXPECT_EQ(print("%X", Bytes().integer<int32_t>(-1)), "FFFFFFFF");
    EXPECT_EQ(print("%o", Bytes().integer<int8_t>(-1)), "377");
    EXPECT_EQ(print("%p", Bytes().integer<int32_t>(-1)), "ffffffff");
}

TEST(Printf, ConversionsWithASizePrefixUseThatSize)
{
    EXPECT_EQ(print("%hd", Bytes().integer<int16_t>(-7)), "-7");
    EXPECT_EQ(print("%hu", Bytes().integer<uint16_t>(65535)), "65535");
    EXPECT_EQ(print("%hx", Bytes().integer<int16_t>(-1)), "ffff");
    EXPECT_EQ(print("%ld", Bytes().integer<int64_t>(-7)), "-7");
    EXPECT_EQ(print("%lli", Bytes().integer<int64_t>(7)), "7");
    EXPECT_EQ(print("%llX", Bytes().integer<int64_t>(-1)), "FFFFFFFFFFFFFFFF");
    EXPECT_EQ(print("%lo", Bytes().integer<uint64_t>(8)), "10");
}

namespace {

/// Prints `value` with each integer conversion and the length modifier `prefix`. Expects the text that C's printf()
/// prints for the value converted to the type Wanted.
template <typename Wanted, typename Given> void expect_as_c(const std::string& prefix, Given value)
{
    for (const char conversion : {'d', 'i', 'u', 'o', 'x', 'X'}) {
        for (const std::string flags : {"", "08", "-8", "#"}) {
            if (flags == "#" && std::string_view("diu").find(conversion) != std::string_view::npos)
                continue; // in C, this combination has undefined behavior
            const std::string format = "%" + flags + prefix + conversion;
            char expected[64];
            std::snprintf(expected, sizeof expected, format.c_str(), static_cast<Wanted>(value));
            EXPECT_EQ(print(format, Bytes().integer(value)), expected) << format << " of " << sizeof value;
        }
    }
}

template <typename Given> void expect_as_c_of(Given value)
{
    expect_as_c<signed char>("hh", value);
    expect_as_c<intmax_t>("j", value);
    expect_as_c<size_t>("z", value);
    expect_as_c<ptrdiff_t>("t", value);
}

} // namespace

TEST(Printf, SizePrefixesConvertIntegersAsInC)
{
    for (const int64_t value : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{0x7f}, int64_t{0x80}, int64_t{-129},
                                int64_t{300}, int64_t{INT32_MAX}, int64_t{INT32_MIN}, INT64_MAX, INT64_MIN}) {
        expect_as_c_of(static_cast<int8_t>(value));
        expect_as_c_of(static_cast<uint8_t>(value));
        expect_as_c_of(static_cast<int16_t>(value));
        expect_as_c_of(static_cast<uint16_t>(value));
        expect_as_c_of(static_cast<int32_t>(value));
        expect_as_c_of(static_cast<uint32_t>(value));
        expect_as_c_of(value);
        expect_as_c_of(static_cast<uint64_t>(value));
        expect_as_c<int16_t>("h", static_cast<int16_t>(value));
        expect_as_c<int64_t>("l", value);
        expect_as_c<long long>("ll", value);
    }
}

TEST(Printf, SizePrefixesConvertFloatingPointNumbersAsInC)
{
    for (const std::string conversion : {"f", "F", "e", "E", "g", "G"}) {
        char expected[64];
        std::snprintf(expected, sizeof expected, ("%.3" + conversion).c_str(), -12.25);
        const double number = -12.25;
        for (const std::string prefix : {"", "l"})
            EXPECT_EQ(print("%.3" + prefix + conversion,
                            Bytes().bytes(&number, sizeof number, Datum::Kind::Bytes, alignof(double))),
                      expected)
                << prefix << conversion;
        const long double longer = number;
        std::snprintf(expected, sizeof expected, ("%.3L" + conversion).c_str(), longer);
        EXPECT_EQ(
            print("%.3L" + conversion, Bytes().bytes(&longer, sizeof longer, Datum::Kind::Bytes, alignof(long double))),
            expected)
            << conversion;
    }
}

TEST(Printf, CharactersOutsideAsciiAreEscaped)
{
    for (int c = 0; c < 256; ++c) {
        const std::string text = print("%c", Bytes().integer(c));
        char octal[8];
        std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(c));
        EXPECT_EQ(text, c < 0x80 ? std::string(1, static_cast<char>(c)) : octal);
    }
    EXPECT_EQ(print("%5c|", Bytes().integer(0xfb)), " \\373|");
    EXPECT_EQ(print("%lc%lc", Bytes().integer(0xd800).integer(0x110000)), "\\xd800\\x110000");
}

TEST(Printf, ZeroPaddingGoesAfterTheSign)
{
    EXPECT_EQ(one("%06d", -42), "-00042");
    EXPECT_EQ(one("%+06d", 42), "+00042");
    EXPECT_EQ(one("%#06x", 255), "0x00ff");
}

TEST(Printf, TheLaterOfTheMinusAndZeroFlagsApplies)
{
    EXPECT_EQ(one("[%0-5d]", 42), "[42   ]");
    EXPECT_EQ(one("[%-05d]", 42), "[00042]");
}

TEST(Printf, ThePrecisionOfAnIntegerIsTheMinimumNumberOfDigits)
{
    EXPECT_EQ(one("%.4d", 7), "0007");
    EXPECT_EQ(one("%8.4d", -7), "   -0007");
    EXPECT_EQ(one("%08.4d", 7), "    0007");
}

TEST(Printf, TheAlternateFormBeginsWithThePrefixOfTheBase)
{
    EXPECT_EQ(one("%#o", 8), "010");
    EXPECT_EQ(one("%#X", 255), "0XFF");
    EXPECT_EQ(one("%#x", 0), "0");
}

TEST(Printf, SignFlagsDoNotApplyToUnsignedConversions)
{
    EXPECT_EQ(one("%+u", 5), "5");
    EXPECT_EQ(one("% x", 5), "5");
}

TEST(Printf, WidthAndPrecisionCanBeArguments)
{
    EXPECT_EQ(print("[%*d]", Bytes().integer(5).integer(42)), "[   42]");
    EXPECT_EQ(print("[%*d]", Bytes().integer(-5).integer(42)), "[42   ]");
    EXPECT_EQ(print("[%.*s]", Bytes().integer(2).text("abc", 8)), "[ab]");
    EXPECT_EQ(print("[%*.*s]", Bytes().integer(4).integer(2).text("abc", 8)), "[  ab]");
}

TEST(Printf, AHugeWidthIsBounded)
{
    EXPECT_EQ(print("%*d", Bytes().integer(INT32_MAX).integer(1)).size(), 1u << 20);
    EXPECT_EQ(print("%*d", Bytes().integer(INT32_MIN).integer(1)).size(), 1u << 20);
}

TEST(Printf, AQuestionMarkMeansTheWidthOfAPointer)
{
    EXPECT_EQ(one("[%?d]", 42), "[              42]");
}

TEST(Printf, APrecisionOfZeroHasNoEffect)
{
    EXPECT_EQ(one_text("[%.0s]", "abc"), "[abc]");
}

TEST(Printf, StringsEndAtTheFirstNul)
{
    EXPECT_EQ(print("[%s]", Bytes().array(std::string("ab\0cd", 5))), "[ab]");
    EXPECT_EQ(print("[%s]", Bytes().array("abcd")), "[abcd]");
}

TEST(Printf, NamesStoredAsIdsArePrintedAsStrings)
{
    Surroundings world;
    world.names = {"read", "write"};
    uint32_t id = 1;
    EXPECT_EQ(print(world, "[%7s]", Bytes().bytes(&id, 4, Datum::Kind::Name, 4)), "[  write]");
}

TEST(Printf, TheEscapedFormOfAStringEndsWithOneNul)
{
    EXPECT_EQ(one_text("%S", "a\tb\"\\\x01~"), "a\\tb\\\"\\\\\\001~\\0");
}

TEST(Printf, TheEscapedFormOfAnArrayShowsAllItsBytes)
{
    EXPECT_EQ(print("%S", Bytes().array(std::string("a\0b\0", 4))), "a\\0b\\0");
}

TEST(Printf, EveryEscapeSequenceIsPrinted)
{
    EXPECT_EQ(print("%S", Bytes().array("\a\b\f\n\r\v\xff")), "\\a\\b\\f\\n\\r\\v\\377");
}

TEST(Printf, CharacterConversionsPrintBytesOrEscapes)
{
    EXPECT_EQ(one("[%3c]", 'A'), "[  A]");
    EXPECT_EQ(one("[%-3c]", 'A'), "[A  ]");
    EXPECT_EQ(one("%C", 0), "\\0");
    EXPECT_EQ(one("%C", 200), "\\310");
    EXPECT_EQ(one("%c", 0), std::string(1, '\0'));
}

TEST(Printf, WideCharactersArePrintedAsUtf8)
{
    EXPECT_EQ(one("%lc", 0x20ac), "\u20ac");
    EXPECT_EQ(one("%wc", 'x'), "x");
    const uint32_t wide[] = {'h', 0xe9, 0, 'x'};
    EXPECT_EQ(print("%ws", Bytes().bytes(wide, sizeof wide, Datum::Kind::Bytes, 4)), "h\u00e9");
}

TEST(Printf, APercentSignTakesNoArgument)
{
    EXPECT_EQ(one("100%% of %d", 3), "100% of 3");
}

TEST(Printf, AddressesWithoutSymbolsAreHexadecimal)
{
    EXPECT_EQ(print("[%a]", Bytes().integer<uint64_t>(0x1234)), "[0x1234]");
    EXPECT_EQ(print("[%10A]", Bytes().integer<uint64_t>(0x1234)), "[    0x1234]");
    EXPECT_EQ(print("[%-8a]", Bytes().words({0xff}, Datum::Kind::Symbol)), "[0xff    ]");
}

TEST(Printf, StacksStartOnANewLine)
{
    const Bytes stack = Bytes().words({0x10, 0x20, 0, 0x30}, Datum::Kind::Stack);
    EXPECT_EQ(print("%k|", stack), "\n0x10\n0x20\n|");
    EXPECT_EQ(print("%-5k|", stack), "\n     0x10\n     0x20\n|");
    EXPECT_EQ(print("%8k|", stack), "\n    0x10\n    0x20\n|");
    Bytes starred = Bytes().integer(2).words({0x10, 0}, Datum::Kind::Stack);
    EXPECT_EQ(print("%-*k|", starred), "\n  0x10\n|");
}

TEST(Printf, TheGroupingFlagHasNoEffectInTheCLocale)
{
    std::setlocale(LC_ALL, "C");
    EXPECT_EQ(one("%'d", 1234567), "1234567");
}

TEST(Printf, FloatingPointNumbersArePrintedAsInC)
{
    EXPECT_EQ(print("%.2f", Bytes().bytes(
                                [] {
                                    static double d = 1.5;
                                    return &d;
                                }(),
                                8, Datum::Kind::Bytes, 8)),
              "1.50");
}

TEST(Printf, TooFewArgumentsAreAnError)
{
    EXPECT_EQ(print("%d %d", Bytes().integer(1)), "bind: Data record list does not match statement");
}

TEST(Printf, IntegerConversionsRefuseStrings)
{
    EXPECT_EQ(print("%d", Bytes().text("a", 4)), "bind: Data record list does not match statement");
}
