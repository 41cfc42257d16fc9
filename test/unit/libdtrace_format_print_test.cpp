// Tests the output of print(): dtrace-actions(7), print.
#include <limits>

#include "libdtrace/format/print.hpp"
#include "libdtrace_support.hpp"

#include <cstdio>

#include "base/text.hpp"

using namespace dt;

namespace {

const std::string kIndent(44, ' ');

class Print : public testing::Test {
protected:
    Type* record(const std::string& tag, uint64_t size, std::vector<Member> members, TypeKind kind = TypeKind::Struct)
    {
        Type* type = types.make(kind, tag);
        type->size = size;
        type->complete = [members](std::vector<Member>& out, std::vector<Enumerator>&) { out = members; };
        return type;
    }
    template <typename T> std::string print(const Type* type, const T& object, std::size_t recorded = sizeof(T))
    {
        format::Text out;
        format::append_printed(out, 0xff9cbf083fc00b18, type, {reinterpret_cast<const uint8_t*>(&object), recorded});
        std::string text(out.view());
        const std::string first = "0xff9cbf083fc00b18 = *\n";
        EXPECT_EQ(text.substr(0, first.size()), first);
        return text.substr(first.size());
    }

    TypeTable types;
    const Type* int_ = types.integer(4, true);
    const Type* char_ = types.named("char");
};

} // namespace

TEST_F(Print, PrintsTheExampleOfTheManualExactly)
{
    struct {
        int a = 5;
        char b[4] = {'A', 0, 0, 0};
    } object;
    const Type* type = record("ts", 8, {{"a", int_, 0}, {"b", types.array_of(char_, 4), 32}});
    EXPECT_EQ(print(type, object), kIndent + "(struct ts) {\n" + kIndent + " .a = (int)5,\n" + kIndent +
                                       " .b = (char [4]) [\n" + kIndent + "  (char)'A',\n" + kIndent + " ],\n" +
                                       kIndent + "}\n");
}

TEST_F(Print, MembersThatAreZeroAreOmitted)
{
    const int object[2] = {0, 0};
    const Type* type = record("ts", 8, {{"a", int_, 0}, {"b", int_, 32}});
    EXPECT_EQ(print(type, object), kIndent + "(struct ts) {\n" + kIndent + "}\n");
}

TEST_F(Print, NestedAndAnonymousStructuresAreIndented)
{
    const int object[3] = {1, 2, 3};
    const Type* inner = record("in", 4, {{"x", int_, 0}});
    const Type* unnamed = record("", 4, {{"y", int_, 0}}, TypeKind::Union);
    const Type* type = record("out", 12, {{"i", inner, 0}, {"", unnamed, 32}, {"z", int_, 64}});
    EXPECT_EQ(print(type, object), kIndent + "(struct out) {\n" + kIndent + " .i = (struct in) {\n" + kIndent +
                                       "  .x = (int)1,\n" + kIndent + " },\n" + kIndent + " (union) {\n" + kIndent +
                                       "  .y = (int)2,\n" + kIndent + " },\n" + kIndent + " .z = (int)3,\n" + kIndent +
                                       "}\n");
}

TEST_F(Print, PointersEnumsAndBitFieldsHaveTheirDocumentedForm)
{
    struct {
        uint64_t pointer = 0xabc;
        int32_t known = 1, unknown = 7;
        uint32_t bits = 0b10110;
    } object;
    Type* colour = types.make(TypeKind::Enum, "colour");
    colour->size = 4;
    colour->is_signed = true;
    colour->complete = [](std::vector<Member>&, std::vector<Enumerator>& out) { out = {{"RED", 1}}; };
    const Type* unsigned_int = types.integer(4, false);
    const Type* type = record("s", 20,
                              {{"p", types.pointer_to(int_), 0},
                               {"k", colour, 64},
                               {"u", colour, 96},
                               {"low", unsigned_int, 128, 2},
                               {"high", unsigned_int, 130, 3}});
    EXPECT_EQ(print(type, object), kIndent + "(struct s) {\n" + kIndent + " .p = (int *)0xabc,\n" + kIndent +
                                       " .k = (enum colour)RED,\n" + kIndent + " .u = (enum colour)7,\n" + kIndent +
                                       " .low = (" + to_string(unsigned_int) + ")2,\n" + kIndent + " .high = (" +
                                       to_string(unsigned_int) + ")5,\n" + kIndent + "}\n");
}

TEST_F(Print, AnEllipsisReplacesBytesThatWereNotRecorded)
{
    const int object[3] = {1, 2, 3};
    const Type* type = record("s", 12, {{"a", int_, 0}, {"b", int_, 32}, {"c", int_, 64}});
    EXPECT_EQ(print(type, object, 4),
              kIndent + "(struct s) {\n" + kIndent + " .a = (int)1,\n" + kIndent + " ...\n" + kIndent + "}\n");
}

TEST_F(Print, StructuresNestedTooDeeplyEndInAnEllipsis)
{
    const int object = 1;
    const Type* type = record("s11", 4, {{"x", int_, 0}});
    for (int i = 10; i >= 0; --i)
        type = record(std::string("s").append(std::to_string(i)), 4, {{"m", type, 0}});
    const std::string text = print(type, object);
    EXPECT_NE(text.find("(struct s10) {\n" + kIndent + std::string(11, ' ') + "...\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("s11"), std::string::npos);
}

TEST_F(Print, ANumberIsPrintedWithItsType)
{
    const int object = -3;
    EXPECT_EQ(print(int_, object), kIndent + "(int)-3,\n");
}

TEST_F(Print, EmptyArraysAreOmitted)
{
    const int object = 1;
    const Type* type = record("s", 4, {{"a", int_, 0}, {"rest", types.array_of(int_, 0), 32}});
    EXPECT_EQ(print(type, object), kIndent + "(struct s) {\n" + kIndent + " .a = (int)1,\n" + kIndent + "}\n");
}

TEST_F(Print, FloatsArePrintedWithTheFewestDigitsThatAreExact)
{
    const auto number = [&](uint64_t size, auto value) {
        Type* type = types.make(TypeKind::Float, "real");
        type->size = size;
        return print(type, value);
    };
    const auto line = [](const std::string& text) { return kIndent + "(real)" + text + ",\n"; };
    EXPECT_EQ(number(4, 0.1F), line("0.1"));
    EXPECT_EQ(number(8, 0.1), line("0.1"));
    EXPECT_EQ(number(8, 1e23), line("1e+23"));
    EXPECT_EQ(number(8, -0.0), line("-0"));
    EXPECT_EQ(number(8, std::numeric_limits<double>::infinity()), line("inf"));
    EXPECT_EQ(number(16, 9223372036854775809.0L), line("9223372036854775809"));
    EXPECT_EQ(number(12, -1.5L), line("-1.5")); // a long double of a 32-bit program has 12 bytes
}

TEST_F(Print, HalfFloatsArePrintedWithTheFewestDigitsThatAreExact)
{
    Type* type = types.make(TypeKind::Float, "_Float16");
    type->size = 2;
    const auto half = [&](uint16_t bits) {
        return print(type, bits).substr(kIndent.size() + std::string("(_Float16)").size());
    };
    EXPECT_EQ(half(0x3c00), "1,\n");
    EXPECT_EQ(half(0x2e66), "0.1,\n");
    EXPECT_EQ(half(0xfbff), "-65500,\n"); // -65504 is the lowest finite 16-bit float; its neighbor is -65472
    EXPECT_EQ(half(0x6801), "2050,\n");
    EXPECT_EQ(half(0x0001), "6e-08,\n"); // 2^-24 is the smallest positive 16-bit float
    EXPECT_EQ(half(0x8000), "-0,\n");
    EXPECT_EQ(half(0x7c00), "inf,\n");
}

TEST_F(Print, CharactersAreWrittenAsCConstants)
{
    for (int c = 0; c < 256; ++c) {
        char octal[8];
        std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(c));
        const std::string_view letters = "\a\b\t\n\v\f\r";
        const auto letter = letters.find(static_cast<char>(c));
        const std::string expected = c == 0                   ? "\\0"
                                     : c == '\'' || c == '\\' ? std::string("\\") + static_cast<char>(c)
                                     : letter != letters.npos ? std::string("\\") + "abtnvfr"[letter]
                                     : c >= ' ' && c < 0x7f   ? std::string(1, static_cast<char>(c))
                                                              : octal;
        const auto byte = static_cast<unsigned char>(c);
        EXPECT_EQ(print(char_, byte), kIndent + "(char)'" + expected + "',\n");
    }
}

TEST_F(Print, AValueIsPrintedWithoutAnAddress)
{
    const auto value = [](const Type* type, const auto& object) {
        format::Text out;
        format::append_printed(out, {}, type, {reinterpret_cast<const uint8_t*>(&object), sizeof object});
        return std::string(out.view());
    };
    EXPECT_EQ(value(int_, int32_t{-7}), "(int)-7\n");
    EXPECT_EQ(value(char_, '\373'), "(char)'\\373'\n");
    EXPECT_EQ(value(types.named("double"), 1.5), "(double)1.5\n");
    EXPECT_EQ(value(types.string(), "text"), "(string)\"text\"\n");
    const int pair[2] = {1, 2};
    EXPECT_EQ(value(types.array_of(int_, 2), pair),
              "(int [2]) [\n" + kIndent + " (int)1,\n" + kIndent + " (int)2,\n" + kIndent + "]\n");
    EXPECT_EQ(value(record("pair", 8, {{"x", int_, 0}, {"y", int_, 32}}), pair),
              "(struct pair) {\n" + kIndent + " .x = (int)1,\n" + kIndent + " .y = (int)2,\n" + kIndent + "}\n");
}
