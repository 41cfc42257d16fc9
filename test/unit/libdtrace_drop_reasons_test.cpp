// Checks that every drop reason has a run test that causes such drops and expects the reason's name in the output. The
// head of such a test contains a line `lost: REASON...` (docs/testing.md).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace dt {
namespace {

const std::set<std::string>& causes_of_the_ledger()
{
    static const std::set<std::string> causes = {
#define DT_CAUSE(enumerator, name, kind, counted, one, several, text) #name,
#include "libdtrace/losses/drop_reasons.def"
#undef DT_CAUSE
    };
    return causes;
}

std::string text_of_test(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns, for each reason, the text and the expected output of the tests for this reason, without their `lost:`
/// lines.
std::map<std::string, std::string> tests_by_cause()
{
    static const std::regex kDirective(R"((?:#@|/\*@| \*) *lost: *([a-z_ ]+)\n)");
    std::map<std::string, std::string> tests;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(DTRACE_RUN_TESTS)) {
        std::filesystem::path path = entry.path();
        if (path.extension() != ".sh" && path.extension() != ".d")
            continue;
        const std::string text = text_of_test(path);
        std::smatch directive;
        if (!std::regex_search(text, directive, kDirective))
            continue;
        const std::string rest =
            directive.prefix().str() + directive.suffix().str() + text_of_test(path.replace_extension(".out"));
        std::istringstream names(directive.str(1));
        for (std::string cause; names >> cause;)
            tests[cause] += rest;
    }
    return tests;
}

TEST(DropReasonTests, EveryDropReasonHasARunTestThatProducesIt)
{
    const std::map<std::string, std::string> tests = tests_by_cause();
    for (const std::string& cause : causes_of_the_ledger()) {
        ASSERT_TRUE(tests.contains(cause)) << "no test of test/run has the directive lost: " << cause;
        EXPECT_TRUE(std::regex_search(tests.at(cause), std::regex("\\b" + cause + "\\b"))) << cause;
    }
}

TEST(DropReasonTests, EveryReasonThatATestNamesExists)
{
    for (const auto& [cause, text] : tests_by_cause())
        EXPECT_TRUE(causes_of_the_ledger().contains(cause)) << cause;
}

} // namespace
} // namespace dt
