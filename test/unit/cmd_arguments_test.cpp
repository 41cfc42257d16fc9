// Tests how the command line is parsed (dtrace(8), OPTIONS).
#include "cmd/common/arguments.hpp"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cmd/common/messages.hpp"
#include "cmd/common/option_table.hpp"
#include "test/support/manual.hpp"

namespace dt::cmd {
namespace {

using testing::ElementsAre;

std::variant<Arguments, UsageError> parse(std::vector<const char*> words)
{
    words.insert(words.begin(), "/usr/sbin/dtrace");
    return parse_arguments(words);
}

Arguments good(std::vector<const char*> words)
{
    auto parsed = parse(std::move(words));
    EXPECT_TRUE(std::holds_alternative<Arguments>(parsed));
    return std::holds_alternative<Arguments>(parsed) ? std::get<Arguments>(parsed) : Arguments{};
}

/// Returns the first error message, or "accepted". A '+' at the end means that the parser also printed a second message
/// or the usage text.
std::string refusal(std::vector<const char*> words)
{
    const auto parsed = parse(std::move(words));
    const auto* error = std::get_if<UsageError>(&parsed);
    if (!error)
        return "accepted";
    return error->messages.empty() ? "+" : error->messages[0] + (error->messages.size() > 1 ? "+" : "");
}

TEST(Arguments, FlagLettersCanBeGroupedBeforeAnOptionWithAValue)
{
    const Arguments arguments = good({"-qn", "BEGIN{}"});
    ASSERT_EQ(arguments.settings.size(), 1u);
    EXPECT_EQ(arguments.settings[0].letter, 'q');
    ASSERT_EQ(arguments.programs.size(), 1u);
    EXPECT_EQ(arguments.programs[0].text, "BEGIN{}");
    EXPECT_EQ(arguments.program_name, "dtrace");
}

TEST(Arguments, TheOptionCheckKernelAcceptsOptionsThatGiveAProgram)
{
    const Arguments arguments = good({"--check-kernel", "-n", "io:::start", "--kernel", "types"});
    EXPECT_EQ(arguments.mode, Mode::CheckKernel);
    ASSERT_EQ(arguments.programs.size(), 1u);
    EXPECT_EQ(arguments.programs[0].text, "io:::start");
    EXPECT_THAT(arguments.kernels, ElementsAre("types"));
    EXPECT_EQ(refusal({"--check-kernel", "--kernel", "types"}),
              "--check-kernel needs a program: a script file, the name of a ready-made tool, or -n '...'");
}

TEST(Arguments, ValuesMayFollowTheirOptionWithoutABlank)
{
    const Arguments arguments = good({"-nBEGIN", "-xquiet", "-b8m"});
    EXPECT_EQ(arguments.programs[0].text, "BEGIN");
    EXPECT_EQ(arguments.settings[0].value, "quiet");
    EXPECT_EQ(arguments.settings[1].value, "8m");
}

TEST(Arguments, OperandsMayPrecedeOptionsAndTwoDashesEndTheOptions)
{
    const Arguments arguments = good({"one", "-s", "x.d", "two", "-", "--", "-q"});
    EXPECT_THAT(arguments.operands, ElementsAre("one", "two", "-", "-q"));
    EXPECT_EQ(arguments.programs[0].kind, SpecKind::Script);
    EXPECT_TRUE(arguments.settings.empty());
}

TEST(Arguments, EveryOptionForAProgramSelectsItsKindOfProgram)
{
    const Arguments arguments = good({"-P", "p", "-m", "m", "-f", "f", "-n", "n", "-i", "1", "-s", "s"});
    std::vector<SpecKind> kinds;
    for (const ProgramText& program : arguments.programs)
        kinds.push_back(program.kind);
    EXPECT_THAT(kinds, ElementsAre(SpecKind::Provider, SpecKind::Module, SpecKind::Function, SpecKind::Name,
                                   SpecKind::ProbeId, SpecKind::Script));
}

TEST(Arguments, OptionsForProcessesKeepTheirOrder)
{
    const Arguments arguments = good({"-p", "12", "-c", "date -u", "-n", "BEGIN"});
    ASSERT_EQ(arguments.processes.size(), 2u);
    EXPECT_FALSE(arguments.processes[0].is_command);
    EXPECT_EQ(arguments.processes[1].text, "date -u");
}

TEST(Arguments, LongOptionsTakeValuesAndCanBeShortenedToUniquePrefixes)
{
    const Arguments arguments = good({"--name=BEGIN", "--option", "quiet", "--destr", "--output", "f"});
    EXPECT_EQ(arguments.programs[0].text, "BEGIN");
    EXPECT_EQ(arguments.settings[0].letter, 'x');
    EXPECT_EQ(arguments.settings[1].letter, 'w');
    EXPECT_EQ(arguments.output, "f");
}

TEST(Arguments, MistakesInLongOptionsAreReported)
{
    EXPECT_EQ(refusal({"--x"}), "unrecognized option '--x'+");
    EXPECT_EQ(refusal({"--quiet=1"}), "option '--quiet' doesn't allow an argument+");
    EXPECT_EQ(refusal({"--name"}), "option '--name' requires an argument+");
    EXPECT_EQ(refusal({"--li"}), "option '--li' is ambiguous; possibilities: '--link' '--list' '--library'+");
}

TEST(Arguments, MistakesInShortOptionsAreReported)
{
    EXPECT_EQ(refusal({}), "+");
    EXPECT_EQ(refusal({"-Q"}), "invalid option -- 'Q'+");
    EXPECT_EQ(refusal({"-31"}), "illegal option -- 31+");
    EXPECT_EQ(refusal({"-n"}), "option requires an argument -- 'n'+");
    EXPECT_EQ(refusal({"-32", "-n", "BEGIN"}), "accepted");
    EXPECT_EQ(refusal({"-64", "-n", "BEGIN"}), "accepted");
}

TEST(Arguments, ModesOfTheCommandExcludeEachOther)
{
    EXPECT_EQ(refusal({"-lV"}), "only one of the [-GhlV] options can be specified at a time");
    EXPECT_EQ(refusal({"-G"}), "-G requires one or more scripts or enabling options");
    EXPECT_EQ(refusal({"-h"}), "-h requires one or more scripts or enabling options");
    EXPECT_EQ(refusal({"-lB"}), "-B not valid in combination with [-Gl] options");
    EXPECT_EQ(refusal({"-B", "-o", "f"}), "-B not valid in combination with -o option");
    EXPECT_EQ(good({"-lv"}).mode, Mode::List);
    EXPECT_TRUE(good({"-lv"}).verbose);
    EXPECT_EQ(good({"--help"}).mode, Mode::Help);
}

TEST(Arguments, MessagesAboutMistakesNameTheHelpOption)
{
    const auto parsed = parse({"-Q"});
    EXPECT_THAT(std::get<UsageError>(parsed).messages,
                ElementsAre("invalid option -- 'Q'", "try 'dtrace --help' for the options"));
}

TEST(Arguments, TheOptionToDumpRawBuffersIsRefused)
{
    EXPECT_EQ(refusal({"-B", "-n", "BEGIN"}), "-B, the dump of raw buffers, is not supported");
}

TEST(Arguments, UsageBeginsWithTheSynopsis)
{
    const std::string usage = usage_text("dtrace");
    EXPECT_TRUE(usage.starts_with("Usage: dtrace [-32|-64] [-CeFGhHlqSvVwZ] [-b bufsz]"));
    EXPECT_NE(usage.find("\n\t-n  "), std::string::npos);
    EXPECT_TRUE(std::get<Arguments>(parse_arguments(std::array{"dtrace", "--help=all"})).help_all);
    EXPECT_FALSE(std::get<Arguments>(parse_arguments(std::array{"dtrace", "--help"})).help_all);
    EXPECT_EQ(refusal({"--help=none"}), "option '--help' doesn't allow an argument+");
    const std::string help = help_text("tracer");
    EXPECT_TRUE(help.starts_with("Usage: tracer [options] -n"));
    EXPECT_LT(help.find("tracer -s opensnoop"), help.find("--tools"));
    EXPECT_LT(help.find("man dtrace-tutorial"), help.find("-w"));
    EXPECT_EQ(help.find("NAME -"), std::string::npos);
}

TEST(Arguments, TheServiceCommandTakesOneVerb)
{
    EXPECT_EQ(good({"service", "status"}).mode, Mode::Status);
    const Arguments shown = good({"service", "show", "reads", "-x", "format=jsonl"});
    EXPECT_EQ(shown.mode, Mode::Show);
    EXPECT_THAT(shown.operands, ElementsAre("reads"));
    EXPECT_EQ(refusal({"service"}), "service needs a verb: status, attach, detach, show, follow, reload, cost+");
    EXPECT_EQ(refusal({"service", "stop"}),
              "service has no verb 'stop': use status, attach, detach, show, follow, reload, cost+");
    EXPECT_EQ(refusal({"service", "show"}), "service show needs the name of a script: service status lists the names");
    EXPECT_EQ(refusal({"service", "reload", "reads"}), "service reload takes no arguments");
    EXPECT_EQ(refusal({"service", "status", "-l"}), "only one of -l, service status can be specified at a time");
    EXPECT_THAT(good({"-n", "BEGIN", "service"}).operands, ElementsAre("service"));
    using Words = std::vector<const char*>;
    for (const Words& words :
         {Words{"service", "help"}, Words{"service", "--help"}, Words{"service", "status", "--help"}}) {
        EXPECT_EQ(good(words).mode, Mode::Help);
        EXPECT_TRUE(good(words).help_service);
    }
    const std::string help = service_help_text("tracer");
    EXPECT_TRUE(help.starts_with("Usage: tracer service VERB"));
    for (const ServiceVerb& verb : service_verbs())
        EXPECT_NE(help.find("\t" + std::string(verb.name)), std::string::npos) << verb.name;
}

TEST(Arguments, CompletionsKnowEveryVerbOfTheService)
{
    for (const char* path : {"dtrace.bash", "_dtrace"}) {
        std::ifstream file(std::string(DTRACE_COMPLETION_DIRECTORY "/") + path);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        for (const ServiceVerb& verb : service_verbs())
            EXPECT_NE(text.find(verb.name), std::string::npos) << path << " " << verb.name;
    }
}

TEST(Arguments, CompletionsKnowEveryLongOption)
{
    for (const char* path : {"dtrace.bash", "_dtrace"}) {
        std::ifstream file(std::string(DTRACE_COMPLETION_DIRECTORY "/") + path);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        for (const OptionEntry& entry : option_table())
            EXPECT_TRUE(entry.long_name.empty() || text.find("--" + std::string(entry.long_name)) != std::string::npos)
                << path << " " << entry.long_name;
    }
}

TEST(Arguments, TheManualHasEveryOption)
{
    const std::set<std::string> words = test::bold_words(test::manual_text("dtrace.8", "OPTIONS"));
    for (const OptionEntry& entry : option_table()) {
        EXPECT_TRUE(entry.letter == 0 || entry.letter == '3' || entry.letter == '6' ||
                    words.count(std::string("-") + entry.letter))
            << entry.letter;
        EXPECT_TRUE(entry.long_name.empty() || words.count("--" + std::string(entry.long_name))) << entry.long_name;
    }
}

TEST(OptionSettings, ALaterSettingReplacesAnEarlierOne)
{
    Options options;
    ASSERT_TRUE(apply_settings(good({"-b", "1m", "-x", "bufsize=2m", "-q", "-x", "quiet=no", "-Z"}).settings, options));
    EXPECT_EQ(options.run().bufsize, 2u << 20);
    EXPECT_FALSE(options.print().quiet);
    EXPECT_TRUE(options.compile().zdefs);
}

TEST(OptionSettings, FailuresNameTheOptionAsTyped)
{
    const auto message = [](std::vector<const char*> words) {
        Options options;
        return apply_settings(good(std::move(words)).settings, options).error().message;
    };
    EXPECT_EQ(message({"-x", "foo"}), "failed to set -x foo: Invalid option name");
    EXPECT_EQ(message({"-x", "bufsize=1q"}), "failed to set -x bufsize: Invalid value for specified option");
    EXPECT_EQ(message({"-b", "1q"}), "failed to set -b 1q: Invalid value for specified option");
    EXPECT_EQ(message({"-X", "z"}), "failed to set -X z: Invalid value for specified option");
}

TEST(OptionSettings, OnlyTheFirstEqualsSignEndsTheName)
{
    Options options;
    ASSERT_TRUE(apply_settings({{'x', "define=A=1"}}, options));
    EXPECT_THAT(options.run().define, ElementsAre("A=1"));
}

TEST(Arguments, TheLastOfSeveralDataModelOptionsApplies)
{
    const auto model = [](std::vector<const char*> words) {
        Options options;
        EXPECT_TRUE(apply_settings(good(std::move(words)).settings, options));
        return options.compile().data_model;
    };
    EXPECT_EQ(model({"-q"}), DataModel::Lp64);
    EXPECT_EQ(model({"-32"}), DataModel::Ilp32);
    EXPECT_EQ(model({"-64", "-q32"}), DataModel::Ilp32);
    EXPECT_EQ(model({"-32", "-64"}), DataModel::Lp64);
    EXPECT_EQ(refusal({"-31"}), "illegal option -- 31+");
}

/// Returns the arguments of dtrace after split_script_line(), for a script with the first line `line`. `one_word`: the
/// options of that line, which the kernel passes as a single argument.
std::vector<std::string> words_of_script(const std::string& line, const char* one_word)
{
    const std::string path = testing::TempDir() + "first_line.d";
    std::ofstream(path) << line << "\nBEGIN { exit(0); }\n";
    const std::array words{"dtrace", one_word, path.c_str(), "operand"};
    std::vector<std::string> split = split_script_line(words);
    for (std::string& word : split)
        if (word == path)
            word = "SCRIPT";
    return split;
}

TEST(InterpreterLine, IsSplitIntoWordsAsByAShell)
{
    EXPECT_THAT(words_of_script("#!/usr/sbin/dtrace -qs -x dynvarsize=64m", "-qs -x dynvarsize=64m"),
                ElementsAre("dtrace", "-qs", "SCRIPT", "-x", "dynvarsize=64m", "operand"));
    EXPECT_THAT(words_of_script("#! /usr/sbin/dtrace  -x 'define=A B' -s ", "-x 'define=A B' -s"),
                ElementsAre("dtrace", "-x", "define=A B", "-s", "SCRIPT", "operand"));
}

TEST(InterpreterLine, ArgumentsThatDoNotComeFromTheLineAreUnchanged)
{
    const auto stays = [](const std::string& line, const char* word) {
        EXPECT_THAT(words_of_script(line, word), ElementsAre("dtrace", word, "SCRIPT", "operand"));
    };
    // no change: the first argument does not come from the script's first line
    stays("#!/usr/sbin/dtrace -qs -x quiet", "-n BEGIN { }");
    stays("BEGIN { } -qs -x quiet", "-qs -x quiet"); // no change: the script has no #! line
    // no change: -s in the script's first line already has an argument
    stays("#!/usr/sbin/dtrace -s file.d -q", "-s file.d -q");
    stays("#!/usr/sbin/dtrace -qs", "-qs");
    stays("#!/usr/sbin/dtrace -qs 'open", "-qs 'open");
}

} // namespace
} // namespace dt::cmd
