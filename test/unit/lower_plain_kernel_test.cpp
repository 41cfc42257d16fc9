// Tests runtime functions that have a variant for old kernels (DT_PLAIN_KERNEL): both variants must give the same
// results.
#include <gmock/gmock.h>

#include "test/unit/lower_run.hpp"

namespace {

using dt::test::DProgram;
using testing::IsEmpty;

/// Fires the script's BEGIN probe `firings` times, compiled for a kernel with or without bpf_loop(). Returns all traced
/// values.
std::vector<std::string> values_of(const std::string& script, bool has_loops, int firings = 1)
{
    auto world = std::make_unique<dt::test::FrozenWorld>();
    world->tried.bpf_loop = has_loops;
    DProgram program(script, 2, {}, 0, std::move(world));
    std::vector<std::string> values;
    for (int i = 0; i < firings; ++i) {
        const auto firing = program.fire("BEGIN");
        EXPECT_EQ(firing.problem, "") << script;
        EXPECT_THAT(firing.faults, IsEmpty()) << script;
        values.insert(values.end(), firing.values.begin(), firing.values.end());
    }
    return values;
}

class PlainKernel : public testing::TestWithParam<const char*> {};

TEST_P(PlainKernel, ProgramsRecordTheSameValuesAsOnANewKernel)
{
    const std::string script = std::string("BEGIN { ") + GetParam() + " }";
    const auto expected = values_of(script, true);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(values_of(script, false), expected) << script;
}

INSTANTIATE_TEST_SUITE_P(
    Strings, PlainKernel,
    testing::Values(
        "trace(strchr(\"a/b/c\", '/')); trace(strrchr(\"a/b/c\", '/')); trace(strchr(\"abc\", 'x') == NULL);",
        "trace(strtok(\" a, b\", \" ,\")); trace(strtok(NULL, \",\")); trace(strtok(NULL, \",\") == NULL);",
        "trace(substr(\"abcdef\", 2, 3)); trace(substr(\"abcdef\", -2)); trace(strjoin(\"ab\", \"cd\"));",
        "trace(lltostr(-1234567)); trace(lltostr(0)); trace(lltostr(-1, 2)); trace(lltostr(255, 16));",
        "trace(strtoll(\" -12x\")); trace(strtoll(\"0x1f\", 16)); trace(strtoll(\"zz\", 36)); trace(strtoll(\"\"));",
        "trace(tolower(\"ABCZ[@`\")); trace(toupper(\"abcz{`@\")); trace(toupper(\"\"));"));

INSTANTIATE_TEST_SUITE_P(
    Paths, PlainKernel,
    testing::Values(
        "trace(basename(\"/a/bc/\")); trace(basename(\"/\")); trace(basename(\"\")); trace(dirname(\"/a/bc/\"));",
        "trace(dirname(\"/a\")); trace(dirname(\"a\")); trace(dirname(\"//\")); trace(dirname(\"a//b\"));",
        "trace(cleanpath(\"/a/./b/../c\")); trace(cleanpath(\"../../a\")); trace(cleanpath(\"/..\"));",
        "trace(cleanpath(\"a/../../b/\")); trace(cleanpath(\"\")); trace(cleanpath(\"...\"));"));

INSTANTIATE_TEST_SUITE_P(
    Search, PlainKernel,
    testing::Values(
        "trace(index(\"abcabc\", \"bc\")); trace(index(\"abcabc\", \"bc\", 2)); trace(index(\"abc\", \"x\"));",
        "trace(rindex(\"abcabc\", \"bc\")); trace(rindex(\"abcabc\", \"bc\", 3)); trace(rindex(\"abc\", \"\"));",
        "trace(strstr(\"abcabc\", \"ca\")); trace(strstr(\"abc\", \"d\") == NULL); trace(index(\"aab\", \"ab\"));",
        "trace(strcasestr(\"abCabc\", \"Ca\")); trace(strcasestr(\"abc\", \"D\") == NULL);",
        "trace(memcmp(\"0123456789\", \"0123456798\", 10)); trace(memcmp(\"b\", \"a\", 1)); this->n = 9; "
        "trace(memcmp(\"0123456789\", \"0123456789\", this->n));",
        "trace(memstr(\"abc\", '.', 3)); this->n = 4; trace(memstr(alloca(16), ' ', this->n));",
        "trace(index(\"0123456789012345678901234567890123456789012345678901234567890123456789x\","
        "\"123456789012345678901234567890123456789012345678901234567890123456789x\"));"));

INSTANTIATE_TEST_SUITE_P(
    Json, PlainKernel,
    testing::Values(R"(trace(json("{\"a\":[1,{\"b\":\"x\"}],\"c\":2.5e3}", "a[1].b")); trace(json("[10,20]", "[1]"));)",
                    R"(trace(json("{\"a\":{\"b\":[true,null]}}", "a.b")); trace(json("{\"a\":1}", "b") == NULL);)",
                    R"(trace(json("[1,2", "[3]") == NULL); trace(json("{\"k\\\"\":\"v\\u0041\"}", "k\\\""));)",
                    R"(trace(json("[[1],[2,3]]", "[1][00]")); trace(json("[1]", "[99999999999]") == NULL);)"));

TEST(PlainKernelSpeculation, EachSpeculationGetsAFreeIdUntilAllAreInUse)
{
    const std::string script = "#pragma D option nspec=3\nBEGIN { this->a = speculation(); this->b = speculation(); "
                               "trace(this->a); trace(this->b); discard(this->a); }";
    EXPECT_EQ(values_of(script, false, 4), values_of(script, true, 4));
}

} // namespace
