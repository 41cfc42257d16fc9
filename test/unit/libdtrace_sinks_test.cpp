// Tests three kinds of output: JSON strings, flame graphs, and the flight recorder, which limits its records by their
// sizes.
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "libdtrace/records/flight_recorder.hpp"
#include "libdtrace/sinks/folded_sink.hpp"

namespace dt {
namespace {

std::string json(std::string_view text)
{
    format::Text out;
    append_json_string(out, text);
    return std::string(out.view());
}

std::size_t count(const std::string& text, std::string_view part)
{
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        ++found;
    return found;
}

} // namespace

TEST(Json, SpecialCharactersAreEscaped)
{
    EXPECT_EQ(json("a\"b\\c"), R"("a\"b\\c")");
    EXPECT_EQ(json("\n\t\r"), R"("\n\t\r")");
    EXPECT_EQ(json(std::string_view("\0\x1f\x7f", 3)), R"("\u0000\u001f\u007f")");
}

TEST(Json, ValidUtf8IsUnchanged)
{
    EXPECT_EQ(json("\u00e9\u20ac\U0001f600"), "\"\u00e9\u20ac\U0001f600\"");
}

TEST(Json, InvalidUtf8IsReplacedByteByByte)
{
    EXPECT_EQ(json("\xff"), "\"\ufffd\"");
    EXPECT_EQ(json("\xc3"), "\"\ufffd\"");                     // an incomplete UTF-8 character
    EXPECT_EQ(json("\xc0\xaf"), "\"\ufffd\ufffd\"");           // an overlong encoding of a slash
    EXPECT_EQ(json("\xed\xa0\x80"), "\"\ufffd\ufffd\ufffd\""); // a surrogate, which UTF-8 must not contain
    // a code point beyond U+10FFFF, which Unicode does not have
    EXPECT_EQ(json("\xf4\x90\x80\x80z"), "\"\ufffd\ufffd\ufffd\ufffdz\"");
}

TEST(Json, MembersAreSeparatedByCommas)
{
    format::Text out;
    out.append('{');
    append_json_name(out, "a");
    out.append('1');
    append_json_name(out, "b");
    EXPECT_EQ(out.view(), R"({"a":1,"b":)");
}

TEST(FlameGraph, CommonCallersAreMerged)
{
    format::FlameTree tree;
    tree.add("main;a", 3);
    tree.add("main;b;c", 1);
    tree.add("main;a", 2);
    tree.add("never", 0);
    EXPECT_EQ(tree.root().total, 6u);
    ASSERT_EQ(tree.root().callees.size(), 1u);
    const auto& main = tree.root().callees.at("main");
    EXPECT_EQ(main.total, 6u);
    EXPECT_EQ(main.callees.at("a").total, 5u);
    EXPECT_EQ(tree.depth(), 3u);
}

TEST(FlameGraph, SpecialCharactersInNamesAreEscaped)
{
    format::FlameTree tree;
    tree.add("operator<\"&;b", 1);
    format::Text out;
    format::append_flamegraph(out, tree, {.title = "@<t>"});
    const std::string svg(out.view());
    EXPECT_NE(svg.find("operator&lt;&quot;&amp;"), std::string::npos);
    EXPECT_NE(svg.find("@&lt;t&gt;"), std::string::npos);
    // the picture has four rectangles: the background, the root frame, and two other frames
    EXPECT_EQ(count(svg, "<rect"), 1u + 3u);
}

TEST(FlameGraph, TheTitleHasTheUnitAndAnIcicleGrowsDownward)
{
    format::FlameTree tree;
    tree.add(std::string("main;") + format::kKernelFrame + "read", 3);
    format::Text flame, icicle;
    format::append_flamegraph(flame, tree, {.title = "t", .subtitle = "a host", .unit = "bytes"});
    format::append_flamegraph(icicle, tree, {.title = "t", .icicle = true});
    const std::string svg(flame.view());
    EXPECT_NE(svg.find(">a host<"), std::string::npos);
    EXPECT_NE(svg.find("<title>read (3 bytes, 100.00%)</title>"), std::string::npos) << "no mark in the name";
    const auto top = [](std::string_view text, const std::string& name) {
        const std::size_t box = text.find("data-n=\"" + name + "\"");
        return std::stod(std::string(text.substr(text.find(" y=\"", box) + 4)));
    };
    EXPECT_GT(top(svg, "main"), top(svg, "read"));
    EXPECT_LT(top(icicle.view(), "main"), top(icicle.view(), "read"));
}

TEST(FlameGraph, WithoutSamplesThePictureIsEmpty)
{
    format::Text out;
    format::append_flamegraph(out, {}, {.title = "no stacks"});
    EXPECT_EQ(count(std::string(out.view()), "<g "), 0u);
}

// Tests how much of -x bufsize a record takes under the buffer policies fill and ring (dtrace(8), BUFFERS).
TEST(FlightRecorder, SizesOfRecordsEqualThoseOfClassicDTrace)
{
    const auto size = [](std::vector<uint32_t> data) {
        StatementSchema statement;
        Record& record = statement.records.emplace_back();
        for (const uint32_t bytes : data) {
            Datum datum;
            datum.size = bytes;
            record.data.push_back(datum);
        }
        return consume::traditional_size(statement);
    };
    EXPECT_EQ(size({}), 8u);
    EXPECT_EQ(size({4}), 8u);
    EXPECT_EQ(size({8}), 16u);
    EXPECT_EQ(size({4, 4}), 16u);
    EXPECT_EQ(size({1, 2}), 8u);
}

} // namespace dt
