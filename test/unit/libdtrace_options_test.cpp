// Tests the options of -x: the syntax of values, the kinds of options, and the sources from which they may be set
// (dtrace(8), RUN-TIME OPTIONS).
#include "libdtrace/options/options.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <type_traits>

#include "dcompiler/interface/option_rows.hpp"
#include "libdtrace/session/session.hpp"
#include "test/support/manual.hpp"

namespace dt {
namespace {

constexpr auto kCommandLine = OptionSource::CommandLine;

std::string refusal(std::string_view name, std::optional<std::string_view> value, OptionSource source = kCommandLine)
{
    Options options;
    const Result<void> result = options.set(name, value, source);
    return result ? "" : result.error().message;
}

TEST(ParseSize, OneUnitLetterInEitherCaseIsAccepted)
{
    EXPECT_EQ(parse_size("4096"), 4096u);
    EXPECT_EQ(parse_size("4k"), 4096u);
    EXPECT_EQ(parse_size("4M"), 4194304u);
    EXPECT_EQ(parse_size("2g"), 2147483648u);
    EXPECT_EQ(parse_size("1t"), 1099511627776u);
}

TEST(ParseSize, ThePrefixOfANumberDeterminesItsBase)
{
    EXPECT_EQ(parse_size("0x10"), 16u);
    EXPECT_EQ(parse_size("010"), 8u);
    EXPECT_EQ(parse_size("0"), 0u);
}

TEST(ParseSize, InvalidSizesAreRefused)
{
    for (const char* text : {"", "k", "4q", "1b", "-1", "4kk", " 4", "08", "18446744073709551616", "16777216t"})
        EXPECT_FALSE(parse_size(text)) << text;
}

TEST(ParseTime, EveryUnitOfTimeIsAccepted)
{
    EXPECT_EQ(parse_time("100"), 100u);
    EXPECT_EQ(parse_time("7nsec"), 7u);
    EXPECT_EQ(parse_time("3us"), 3'000u);
    EXPECT_EQ(parse_time("100MS"), 100'000'000u);
    EXPECT_EQ(parse_time("2sec"), 2'000'000'000u);
    EXPECT_EQ(parse_time("1m"), 60'000'000'000u);
    EXPECT_EQ(parse_time("1hour"), 3'600'000'000'000u);
    EXPECT_EQ(parse_time("1d"), 86'400'000'000'000u);
}

TEST(ParseTime, AFrequencyBecomesItsPeriodAndZeroStaysZero)
{
    EXPECT_EQ(parse_time("10hz"), 100'000'000u);
    EXPECT_EQ(parse_time("0hz"), 0u);
}

TEST(ParseTime, OverflowAndUnknownUnitsAreRefused)
{
    EXPECT_FALSE(parse_time("1week"));
    EXPECT_FALSE(parse_time("99999999999d"));
    EXPECT_FALSE(parse_time("ms"));
}

/// Returns whether the field is not const; evaluated at compile time.
template <typename Field> constexpr bool is_written(Field&&)
{
    return !std::is_const_v<std::remove_reference_t<Field>>;
}

TEST(Options, OptionsCanBeChangedOnlyThroughSet)
{
    Options options;
    EXPECT_FALSE(is_written(options.compile().strsize));
    EXPECT_FALSE(is_written(options.run().bufsize));
    EXPECT_FALSE(is_written(options.print().quiet));
}

TEST(Options, UnknownNamesAreRefused)
{
    EXPECT_EQ(refusal("foo", "1"), "Invalid option name");
    EXPECT_EQ(refusal("errexit", std::nullopt), "Invalid option name");
    EXPECT_EQ(refusal("BUFSIZE", "1m"), "Invalid option name");
}

TEST(Options, ABufsizeThatWasSetIsMarkedAsExplicit)
{
    Options options;
    EXPECT_EQ(options.run().bufsize, 4u << 20);
    EXPECT_FALSE(options.run().bufsize_set);
    ASSERT_TRUE(options.set("bufsize", "16k", kCommandLine));
    EXPECT_EQ(options.run().bufsize, 16384u);
    EXPECT_TRUE(options.run().bufsize_set);
    ASSERT_TRUE(options.set("bufsize", std::nullopt, kCommandLine));
    EXPECT_EQ(options.run().bufsize, 0u);
}

TEST(Options, RotateTakesASizeANumberOfFilesAndAnAge)
{
    Options options;
    ASSERT_TRUE(options.set("rotate", "100m", kCommandLine));
    EXPECT_EQ(options.run().rotate_size, 100u << 20);
    EXPECT_EQ(options.run().rotate_files, 5u);
    ASSERT_TRUE(options.set("rotate", "1k,12", kCommandLine));
    EXPECT_EQ(options.run().rotate_size, 1024u);
    EXPECT_EQ(options.run().rotate_files, 12u);
    ASSERT_TRUE(options.set("rotate", "1d,7", kCommandLine));
    EXPECT_EQ(options.run().rotate_size, 0u);
    EXPECT_EQ(options.run().rotate_age, uint64_t{86'400} * 1'000'000'000);
    EXPECT_EQ(options.run().rotate_files, 7u);
    ASSERT_TRUE(options.set("rotate", "100m,5,12h", kCommandLine));
    EXPECT_EQ(options.run().rotate_size, 100u << 20);
    EXPECT_EQ(options.run().rotate_age, uint64_t{12 * 3'600} * 1'000'000'000);
    // 30m is accepted only as an age: it could not be a number of files, which has no unit
    ASSERT_TRUE(options.set("rotate", "100m,30m", kCommandLine));
    EXPECT_EQ(options.run().rotate_age, uint64_t{30 * 60} * 1'000'000'000);
    EXPECT_EQ(options.run().rotate_files, 5u);
    for (const char* bad : {"", "0", "0,5", "1k,", "1k,0", "1k,1001", "1k,x", ",5", "1k,2,3", "1d,7,1d", "1d,0s", "0d"})
        EXPECT_EQ(refusal("rotate", bad), "Invalid value for specified option") << bad;
}

TEST(Options, CompileFlagsTakeNoValue)
{
    EXPECT_EQ(refusal("zdefs", std::nullopt), "");
    EXPECT_EQ(refusal("zdefs", "1"), "Invalid value for specified option");
    EXPECT_EQ(refusal("errtags", ""), "Invalid value for specified option");
}

TEST(Options, RuntimeFlagsAcceptWordsAndNumbers)
{
    for (const char* on : {"yes", "enable", "enabled", "true", "on", "set", "YES", "On", "1", "0", "17"}) {
        Options options;
        ASSERT_TRUE(options.set("quiet", on, kCommandLine)) << on;
        EXPECT_TRUE(options.print().quiet) << on; // any number switches a flag on, even 0
    }
    for (const char* off : {"no", "disable", "disabled", "false", "off", "unset", "No", "OFF", ""}) {
        Options options;
        options.put("quiet");
        ASSERT_TRUE(options.set("quiet", off, kCommandLine)) << off;
        EXPECT_FALSE(options.print().quiet) << off;
    }
    EXPECT_EQ(refusal("quiet", "maybe"), "Invalid value for specified option");
    EXPECT_EQ(refusal("quiet", "-1"), "Invalid value for specified option");
}

TEST(Options, TemporalIsOnUntilItIsSwitchedOff)
{
    Options options;
    EXPECT_TRUE(options.run().temporal);
    ASSERT_TRUE(options.set("temporal", "off", kCommandLine));
    EXPECT_FALSE(options.run().temporal);
}

TEST(Options, SetoptReachesOnlyDynamicOptions)
{
    EXPECT_EQ(refusal("quiet", "1", OptionSource::Setopt), "");
    EXPECT_EQ(refusal("switchrate", "10hz", OptionSource::Setopt), "");
    EXPECT_EQ(refusal("bufsize", "1m", OptionSource::Setopt), "Operation illegal when tracing is active");
    EXPECT_EQ(refusal("zdefs", "1", OptionSource::Setopt), "Operation illegal when tracing is active");
    EXPECT_EQ(refusal("nosuch", "1", OptionSource::Setopt), "Invalid option name");
    EXPECT_EQ(refusal("aggsortpos", "x", OptionSource::Setopt), "Invalid value for specified option");
}

TEST(Options, SomeOptionsCannotBeSetFromAProgram)
{
    for (const char* name : {"cppargs", "cpphdrs", "cpppath", "ctfpath", "define", "incdir", "ldpath", "lockmem",
                             "modpath", "procfspath", "stdc", "undef"})
        EXPECT_EQ(refusal(name, "1", OptionSource::Pragma), "Option cannot be used from within a D program") << name;
    EXPECT_EQ(refusal("strsize", "32", OptionSource::Pragma), "");
}

TEST(Options, StrsizeHasAMinimumAndAMaximum)
{
    EXPECT_EQ(refusal("strsize", "1"), "Invalid value for specified option");
    EXPECT_EQ(refusal("strsize", "2"), "");
    EXPECT_EQ(refusal("strsize", "4294967295"), "");
    EXPECT_EQ(refusal("strsize", "4294967296"), "Invalid value for specified option");
    EXPECT_EQ(Options::meant("strsize"), "from 2 to 4294967295");
    EXPECT_EQ(refusal("scratchsize", "256m"), "");
    EXPECT_EQ(refusal("scratchsize", "257m"), "Invalid value for specified option");
    EXPECT_EQ(Options::meant("scratchsize"), "at most 268435456");
}

TEST(Options, OptionsWithWordValuesRefuseOtherWords)
{
    EXPECT_EQ(refusal("bufpolicy", "ring"), "");
    EXPECT_EQ(refusal("bufpolicy", "bogus"), "Invalid value for specified option");
    EXPECT_EQ(refusal("bufresize", "manual"), "");
    EXPECT_EQ(refusal("evaltime", "main"), "");
    EXPECT_EQ(refusal("evaltime", "later"), "Invalid value for specified option");
    EXPECT_EQ(refusal("followchildren", "exec"), "");
    EXPECT_EQ(refusal("followchildren", "threads"), "Invalid value for specified option");
    EXPECT_EQ(refusal("linktype", "DOF"), "");
    EXPECT_EQ(refusal("stdc", "x"), "Invalid value for specified option");
    EXPECT_EQ(refusal("format", "jsonl"), "");
    EXPECT_EQ(refusal("debugassert", "mutexes"), "");
}

TEST(Options, IregsAcceptsOnlyEight)
{
    EXPECT_EQ(refusal("iregs", "8"), "");
    EXPECT_EQ(refusal("iregs", "4"), "Insufficient registers to generate code");
    EXPECT_EQ(refusal("iregs", "9"), "Invalid value for specified option");
    EXPECT_EQ(refusal("iregs", "0"), "Invalid value for specified option");
}

TEST(Options, NumericCompilerOptionsNeedAValue)
{
    EXPECT_EQ(refusal("disasm", "0"), "");
    EXPECT_EQ(refusal("disasm", "all"), "Invalid value for specified option");
    EXPECT_EQ(refusal("tregs", "0"), "Invalid value for specified option");
    EXPECT_EQ(refusal("tregs", std::nullopt), "Invalid value for specified option");
}

TEST(Options, VersionsMustBeWellFormedAndKnown)
{
    EXPECT_EQ(refusal("version", "1.6.4"), "");
    EXPECT_EQ(refusal("version", "2.0"), "");
    EXPECT_EQ(refusal("version", "9.0"), "Requested version is not supported by compiler");
    for (const char* text : {"1.x", "", "1.", "256.0", "1.4096", "1.2.3.4", "1..2"})
        EXPECT_EQ(refusal("version", text), "Version is not properly formatted or is too large") << text;
    Options options;
    ASSERT_TRUE(options.set("version", "1.6.3", kCommandLine));
    EXPECT_EQ(options.compile().version, 0x01006003u);
}

TEST(Options, AminTakesAStabilityTripleWhoseMissingPartsAreTheMaximum)
{
    Options options;
    ASSERT_TRUE(options.set("amin", "evolving/STABLE/isa", kCommandLine));
    EXPECT_EQ(options.compile().amin, (Attributes{Stability::Evolving, Stability::Stable, DependencyClass::Isa}));
    ASSERT_TRUE(options.set("amin", "Private", kCommandLine));
    EXPECT_EQ(options.compile().amin, (Attributes{Stability::Private, Stability::Standard, DependencyClass::Common}));
    EXPECT_EQ(refusal("amin", "Nice/Stable/Common"), "Invalid value for specified option");
    EXPECT_EQ(refusal("amin", "Stable/Stable/Common/ISA"), "Invalid value for specified option");
}

TEST(Options, SomeSizesAreRoundedOrLimitedByTheirOwnRules)
{
    Options options;
    ASSERT_TRUE(options.set("pcapsize", "1514", kCommandLine));
    EXPECT_EQ(options.compile().pcapsize, 1520u);
    ASSERT_TRUE(options.set("pcapsize", "100", kCommandLine));
    EXPECT_EQ(options.compile().pcapsize, 104u);
    ASSERT_TRUE(options.set("pcapsize", "65536", kCommandLine));
    EXPECT_EQ(options.compile().pcapsize, 1520u);
    ASSERT_TRUE(options.set("printsize", "13", kCommandLine));
    EXPECT_EQ(options.compile().printsize, 16u);
    ASSERT_TRUE(options.set("lockmem", "unlimited", kCommandLine));
    EXPECT_EQ(options.run().lockmem, UINT64_MAX);
    EXPECT_EQ(refusal("lockmem", "much"), "Invalid value for specified option");
}

TEST(Options, RepeatedListOptionsAddToTheList)
{
    Options options;
    ASSERT_TRUE(options.set("define", "A=1", kCommandLine));
    ASSERT_TRUE(options.set("define", "B", kCommandLine));
    ASSERT_TRUE(options.set("cppargs", " -dM  -P ", kCommandLine));
    EXPECT_EQ(options.run().define, (std::vector<std::string>{"A=1", "B"}));
    EXPECT_EQ(options.run().cppargs, (std::vector<std::string>{"-dM", "-P"}));
}

TEST(OptionEnvironment, SetsOptionsAndReportsMistakes)
{
    const char* const environment[] = {"DTRACE_OPT_BUFSIZE=8m", "DTRACE_OPT_QUIET=1", "DTRACE_OPT_ZDEFS=yes",
                                       "DTRACE_OPT_ERRTAGS=no", "PATH=/bin",          nullptr};
    Options options;
    EXPECT_TRUE(set_options_from_environment(options, environment));
    EXPECT_EQ(options.run().bufsize, 8u << 20);
    EXPECT_TRUE(options.print().quiet);
    EXPECT_TRUE(options.compile().zdefs);
    EXPECT_FALSE(options.compile().errtags);
    const auto refused = [](const char* variable) {
        const char* const environment[] = {variable, nullptr};
        Options options;
        const Result<void> set = set_options_from_environment(options, environment);
        return set ? std::string() : set.error().message;
    };
    EXPECT_EQ(refused("DTRACE_OPT_BUFSIZ=8m"),
              "failed to set DTRACE_OPT_BUFSIZ: Invalid option name\n\tdid you mean -x bufsize?");
    EXPECT_EQ(refused("DTRACE_OPT_STRSIZE=1q"),
              "failed to set DTRACE_OPT_STRSIZE: Invalid value for specified option\n\tfrom 2 to 4294967295");
    EXPECT_EQ(refused("DTRACE_OPT_FORMAT=xml"),
              "failed to set DTRACE_OPT_FORMAT: Invalid value for specified "
              "option\n\tone of text, jsonl, csv, folded, flamegraph, pprof, ctf, perfetto, journal, snapshot, "
              "openmetrics, prometheus, otlp");
}

TEST(OptionEnvironment, AnEnvironmentVariableEnablesTheCheckOfHitCounts)
{
    const auto checked = [](const char* variable) {
        const char* const environment[] = {variable, nullptr};
        Options options;
        EXPECT_TRUE(set_options_from_environment(options, environment));
        EXPECT_EQ(options.compile().counts_hits(), options.compile().check_hits);
        EXPECT_FALSE(options.compile().hits);
        return options.compile().check_hits;
    };
    EXPECT_TRUE(checked("DTRACE_CHECK_FIRINGS=1"));
    EXPECT_FALSE(checked("DTRACE_CHECK_FIRINGS="));
    EXPECT_FALSE(checked("DTRACE_CHECK_FIRING=1"));
}

TEST(Options, MaxcostTakesAShareOfTheMachineOrANumberOfCpus)
{
    const auto limit = [](const char* text) {
        Options options;
        return options.set("maxcost", text, OptionSource::CommandLine) ? options.compile().maxcost : 0;
    };
    EXPECT_DOUBLE_EQ(limit("1.5%"), -0.015);
    EXPECT_DOUBLE_EQ(limit("0.25cpu"), 0.25);
    EXPECT_DOUBLE_EQ(limit("5"), 0.05); // a plain number is a percentage of one CPU, as in other DTraces
    for (const char* bad : {"0", "-1", "101", "0cpu", "1x", "%", ".", "1.2.3", "nan", "inf"})
        EXPECT_EQ(limit(bad), 0) << bad;
}

TEST(Options, UnsupportedOptionsAreRefused)
{
    for (const char* name : {"ctypes=f", "dtypes=f"}) {
        const std::string_view text = name;
        const auto equals = text.find('=');
        const auto value = equals == text.npos ? std::nullopt : std::optional(text.substr(equals + 1));
        EXPECT_EQ(refusal(text.substr(0, equals), value), "Option is not available in this version") << name;
    }
    EXPECT_EQ(refusal("cleanrate", "50hz"), ""); // accepted without effect, because many scripts set it
}

TEST(Options, TheManualHasEveryOption)
{
    const std::set<std::string> words = test::bold_words(test::manual_text("dtrace.8", "RUN-TIME OPTIONS"));
    for (const std::string_view name : Options::names())
        EXPECT_TRUE(words.count(std::string(name))) << name;
}

TEST(Options, CompletionsKnowEveryOption)
{
    for (const char* path : {"dtrace.bash", "_dtrace"}) {
        std::ifstream file(std::string(DTRACE_COMPLETION_DIRECTORY "/") + path);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        for (const std::string_view name : Options::names())
            EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + std::string(name) + "\\b"))) << path << " " << name;
    }
}

} // namespace
} // namespace dt
