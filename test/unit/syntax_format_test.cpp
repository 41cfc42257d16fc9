// Tests how format strings of printf() are parsed: dtrace-output(7), FORMATS.
#include <gtest/gtest.h>

#include "dcompiler/syntax/format.hpp"

namespace {

using namespace dt::format;

Conversion one(std::string_view text)
{
    auto format = parse(text);
    EXPECT_TRUE(format.ok()) << text;
    if (!format || format->pieces.size() != 1 || !std::holds_alternative<Conversion>(format->pieces[0])) {
        ADD_FAILURE() << text;
        return {};
    }
    return std::get<Conversion>(format->pieces[0]);
}

std::string error(std::string_view text)
{
    auto format = parse(text);
    return format ? "" : format.error().message;
}

TEST(Format, AFormatIsSplitIntoTextAndConversions)
{
    auto format = parse("a %d b%s");
    ASSERT_TRUE(format.ok());
    ASSERT_EQ(format->pieces.size(), 4U);
    EXPECT_EQ(std::get<std::string>(format->pieces[0]), "a ");
    EXPECT_EQ(std::get<Conversion>(format->pieces[1]).name(), "d");
    EXPECT_EQ(std::get<std::string>(format->pieces[2]), " b");
    EXPECT_EQ(std::get<Conversion>(format->pieces[3]).number, 2);
}

TEST(Format, AnEmptyFormatHasNoPieces)
{
    EXPECT_TRUE(parse("")->pieces.empty());
}

TEST(Format, AFormatEndsAtANul)
{
    auto format = parse(std::string_view("ab\0%z", 5));
    ASSERT_TRUE(format.ok());
    EXPECT_EQ(format->pieces.size(), 1U);
}

TEST(Format, EveryFlagIsRead)
{
    EXPECT_TRUE(one("%#x").alternate);
    EXPECT_TRUE(one("%+d").plus);
    EXPECT_TRUE(one("% d").space);
    EXPECT_TRUE(one("%'d").group);
    EXPECT_TRUE(one("%-5d").left);
    EXPECT_TRUE(one("%@d").aggregation);
}

TEST(Format, OfTheFlagsZeroAndMinusTheLaterOneApplies)
{
    EXPECT_TRUE(one("%05d").zero);
    EXPECT_EQ(one("%05d").width, 5);
    const Conversion zero_last = one("%-05d");
    EXPECT_TRUE(zero_last.zero);
    EXPECT_FALSE(zero_last.left);
    const Conversion left_last = one("%0-5d");
    EXPECT_TRUE(left_last.left);
    EXPECT_FALSE(left_last.zero);
}

TEST(Format, WidthAndPrecisionAreRead)
{
    const Conversion c = one("%12.3s");
    EXPECT_EQ(c.width, 12);
    EXPECT_EQ(c.precision, 3);
    EXPECT_FALSE(one("%d").width.has_value());
}

TEST(Format, APrecisionOfZeroHasNoEffect)
{
    EXPECT_FALSE(one("%.0d").precision.has_value());
    EXPECT_FALSE(one("%.d").precision.has_value());
    EXPECT_EQ(one("%.05d").precision, 5);
}

TEST(Format, StarsTakeWidthAndPrecisionFromArguments)
{
    EXPECT_TRUE(one("%*d").width_star);
    EXPECT_TRUE(one("%.*d").precision_star);
    EXPECT_FALSE(one("%.*d").width_star);
}

TEST(Format, AQuestionMarkMeansAWidthOfSixteen)
{
    EXPECT_EQ(one("%?p").width, 16);
}

TEST(Format, SizePrefixesArePartOfTheNameOfAConversion)
{
    EXPECT_EQ(one("%lld").name(), "lld");
    EXPECT_EQ(one("%hx").name(), "hx");
    EXPECT_EQ(one("%wc").name(), "wc");
    EXPECT_EQ(one("%Lf").name(), "Lf");
    EXPECT_EQ(one("%l5d").name(), "ld");
}

TEST(Format, EveryConversionOfTheManualIsKnown)
{
    for (const char* name :
         {"a",  "A",  "c",  "C",  "d",  "i",  "e",  "E",   "f",   "g",   "G",   "hd",  "hi",  "ho", "hu", "hx", "hX",
          "k",  "ld", "li", "lo", "lu", "lx", "lX", "lld", "lli", "llo", "llu", "llx", "llX", "lc", "wc", "ls", "ws",
          "Le", "LE", "Lf", "Lg", "LG", "o",  "p",  "s",   "S",   "T",   "u",   "x",   "X",   "Y",  "%"})
        EXPECT_NE(find_conversion(name), nullptr) << name;
    EXPECT_EQ(find_conversion("z"), nullptr);
    EXPECT_EQ(find_conversion("hld"), nullptr);
    EXPECT_EQ(find_conversion(""), nullptr);
}

TEST(Format, APercentSignCountsAsAConversion)
{
    auto format = parse("%%%d");
    ASSERT_TRUE(format.ok());
    EXPECT_TRUE(std::get<Conversion>(format->pieces[0]).is_percent());
    EXPECT_EQ(std::get<Conversion>(format->pieces[1]).number, 2);
}

TEST(Format, EachConversionIsListedWithItsPrototype)
{
    EXPECT_EQ(one("%d").info->prototype, "char, short, int, long, or long long");
    EXPECT_EQ(one("%c").info->prototype, "char, short, or int");
    EXPECT_EQ(one("%s").info->prototype, "char [] or string (or use stringof)");
    EXPECT_EQ(one("%lu").info->prototype, "unsigned long");
    EXPECT_EQ(one("%Y").info->prototype, "int64_t");
    EXPECT_EQ(one("%k").info->prototype, "stack");
}

TEST(Format, ASizePrefixDeterminesSizeAndSignednessOfAConversion)
{
    const Conversion c = one("%llx");
    EXPECT_EQ(c.info->size, 'q');
    EXPECT_TRUE(c.info->wants_signed && c.info->wants_unsigned);
    EXPECT_FALSE(one("%hu").info->wants_signed);
}

TEST(Format, AHugeWidthIsLimitedToTheLargestInt)
{
    EXPECT_EQ(one("%99999999999999999999d").width, 2147483647);
}

TEST(Format, InvalidFormatsAreErrors)
{
    EXPECT_EQ(error("%v"), "format conversion #1 is undefined: %v");
    EXPECT_EQ(error("%d %hld"), "format conversion #2 is undefined: %hld");
    EXPECT_EQ(error("%-%"), "format conversion #1 cannot be combined with other format flags: %%");
    EXPECT_EQ(error("%**d"), "format conversion #1 has more than one '*' specified for the output width");
    EXPECT_EQ(error("%.**d"), "format conversion #1 has more than one '*' specified for the output precision");
    EXPECT_EQ(error("%1.2.3d"), "format conversion #1 has more than one '.' specified");
    EXPECT_EQ(error("%1$d"), "format conversion #1 uses unsupported positional format (%n$)");
    EXPECT_EQ(error("%d%"), "format conversion #2 name expected before end of format string");
    EXPECT_EQ(error("%5"), "format conversion #1 name expected before end of format string");
}

} // namespace
