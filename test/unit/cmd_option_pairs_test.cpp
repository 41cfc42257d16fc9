// Tests every pair of command-line options: the pairs that may be combined, and the message for the others (dtrace(8),
// Modes). The expected results follow from the manual, independently of the parser.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "cmd/common/arguments.hpp"
#include "cmd/common/option_table.hpp"

namespace dt::cmd {
namespace {

constexpr char kNoPrograms[] = "requires one or more scripts or enabling options";

/// One instance of each option, with a plausible value.
const std::vector<std::vector<std::string>> kAll = {
    {"-32"},
    {"-64"},
    {"-a"},
    {"-A"},
    {"-b", "1m"},
    {"-B"},
    {"-c", "true"},
    {"-C"},
    {"-D", "N=1"},
    {"-e"},
    {"-f", "f"},
    {"-F"},
    {"-G"},
    {"-h"},
    {"-H"},
    {"-i", "1"},
    {"-I", "/tmp"},
    {"-k"},
    {"-l"},
    {"-L", "/tmp"},
    {"-m", "m"},
    {"-n", "n"},
    {"-o", "o"},
    {"-p", "1"},
    {"-P", "p"},
    {"-q"},
    {"-s", "s.d"},
    {"-S"},
    {"-U", "N"},
    {"-v"},
    {"-V"},
    {"-w"},
    {"-x", "quiet"},
    {"-X", "a"},
    {"-Z"},
    {"--help"},
    {"--tools"},
    {"--shell"},
    {"--doctor"},
    {"--service"},
    {"--top"},
    {"--estimate"},
    {"--annotate"},
    {"--anonymous"},
    {"--initramfs"},
    {"--merge"},
    {"--hosts", "h"},
    {"--rsh", "ssh %n"},
    {"--bundle", "f"},
    {"--run-bundle", "f"},
    {"--lsp"},
    {"--agent"},
    {"--policy", "f"},
    {"--send-source"},
    {"--postmortem"},
    {"--trace-errno", "syscall::read:return /errno == EINTR/"},
    {"--check-kernel", "f"},
    {"--kernel", "f"},
};

/// Returns the first error message, or "" without an error.
std::string first_message(const std::vector<std::string>& words)
{
    std::vector<const char*> arguments = {"dtrace"};
    for (const std::string& word : words)
        arguments.push_back(word.c_str());
    const auto parsed = parse_arguments(arguments);
    const auto* error = std::get_if<UsageError>(&parsed);
    return !error ? "" : error->messages.empty() ? "usage" : error->messages[0];
}

/// Returns the message that the rules of the manual demand for two options, or "".
std::string expected(const std::vector<std::string>& first, const std::vector<std::string>& second)
{
    const std::set<std::string> given = {first[0], second[0]};
    const auto has = [&](const char* option) { return given.count(option) != 0; };
    if (has("--help"))
        return "";
    std::vector<std::string> modes;
    // clang-format off
    for (const char* mode :
         {"-a", "-A", "-G", "-h", "-l", "-V", "--tools", "--shell", "--agent", "--lsp", "--doctor", "--merge",
          "--bundle", "--run-bundle", "--postmortem", "--trace-errno", "--check-kernel", "--service", "--anonymous",
          "--initramfs", "service status", "service attach", "service detach", "service show", "service follow",
          "service reload", "service cost"}) // the modes in the order of the usage text
        // clang-format on
        if (has(mode))
            modes.push_back(mode);
    const auto is_ours = [](const std::string& mode) { return mode.size() > 2 || mode == "-a" || mode == "-A"; };
    if (modes.size() == 2)
        return is_ours(modes[0]) || is_ours(modes[1])
                   ? "only one of " + modes[0] + ", " + modes[1] + " can be specified at a time"
                   : "only one of the [-GhlV] options can be specified at a time";
    std::size_t programs = 0;
    for (const char* option : {"-f", "-i", "-m", "-n", "-P", "-s"})
        programs += has(option);
    if (has("--doctor") && (programs != 0 || has("-c") || has("-p")))
        return "--doctor takes no programs, processes or arguments";
    if (has("--merge"))
        return programs != 0 || has("-c") || has("-p")
                   ? "--merge takes no programs or processes: it reads files of earlier traces"
                   : "--merge needs files that were written with -x format=snapshot, or - for standard input";
    if (has("--agent"))
        return "--agent takes no other options or arguments: each request contains its program";
    if (has("--run-bundle") && (programs != 0 || has("-c") || has("-p") || has("-e") || has("-B")))
        return "--run-bundle takes no programs, processes or arguments: the bundle contains them";
    if (has("--bundle") && (has("-c") || has("-p") || has("-o") || has("-B")))
        return "--bundle takes no processes or output file: it only compiles the program";
    if (has("--postmortem"))
        return programs != 0 || has("-c") || has("-p")
                   ? "--postmortem takes no programs or processes: the dump contains the traces"
                   : "--postmortem needs one file, a kernel crash dump";
    if (has("--trace-errno") && (programs != 0 || has("-e") || has("-B")))
        return "--trace-errno takes no programs: it generates one";
    if (has("--check-kernel") && (has("-c") || has("-p") || has("-e") || has("-B")))
        return "--check-kernel takes no processes (-p, -c): it traces nothing";
    if (has("--kernel") && !has("--check-kernel"))
        return "--kernel only works with --check-kernel";
    if (has("--rsh") && !has("--hosts"))
        return "--rsh needs --hosts, which names the hosts";
    if (has("--send-source") && !has("--hosts"))
        return "--send-source needs --hosts, which names the hosts";
    if (has("--hosts") && (!modes.empty() || has("-e") || has("-B")))
        return "--hosts can only be used for tracing";
    if (has("--policy") && ((!modes.empty() && !has("--run-bundle")) || has("--hosts") || has("-e")))
        return "--policy only works for traces on this machine";
    if (has("-k") && !has("-G") && !has("-h"))
        return "-k only works with -G and -h";
    if (has("--service"))
        return has("-B") || has("-o") || programs != 0 || has("-c") || has("-p")
                   ? "--service takes no programs, processes or output file"
                   : "";
    if (!modes.empty() && modes[0].starts_with("service")) {
        if (has("-B") || has("-o") || programs != 0 || has("-c") || has("-p"))
            return modes[0] + " takes no programs, processes or output file";
        return has("service attach") ? "service attach needs a script file"
               : has("service detach") || has("service show") || has("service follow") || has("service cost")
                   ? modes[0] + " needs the name of a script: service status lists the names"
                   : "";
    }
    if (has("-A"))
        return has("-B") || has("-o") || has("-c") || has("-p")
                   ? "-A takes no processes or output file: dtrace -a prints the recorded data"
                   : "";
    for (const char* mode : {"-a", "--anonymous", "--initramfs"}) {
        if (!has(mode))
            continue;
        const bool claims = has("-a");
        if (has("-B") || programs != 0 || has("-c") || has("-p") || (!claims && (has("-o") || has("-e"))))
            return std::string(mode) + " takes no programs, processes or arguments";
        const bool is_alone = given.size() == 1 || has("-e") || has("-o");
        return is_alone ? "" : std::string(mode) + " does not take these options: they must be given to dtrace -A";
    }
    if (has("-B"))
        return has("-G") || has("-h") || has("-l") ? "-B not valid in combination with [-Gl] options"
               : has("-o")                         ? "-B not valid in combination with -o option"
                                                   : "-B, the dump of raw buffers, is not supported";
    if ((has("-G") || has("-h")) && programs == 0)
        return std::string(has("-G") ? "-G " : "-h ") + kNoPrograms;
    if (has("-h") && !has("-s"))
        return "-h requires an output file if no scripts are specified";
    return "";
}

TEST(OptionPairs, TheTestCoversEveryOption)
{
    std::set<std::string> known;
    for (const std::vector<std::string>& each : kAll)
        known.insert(each[0].substr(0, each[0] == "-32" || each[0] == "-64" ? 2 : std::string::npos));
    for (const OptionEntry& entry : option_table())
        EXPECT_TRUE(
            known.count(entry.letter != 0 ? std::string("-") + entry.letter : "--" + std::string(entry.long_name)))
            << entry.letter << entry.long_name;
}

TEST(OptionPairs, PairsAreAcceptedOrRefusedAsTheManualSays)
{
    for (const std::vector<std::string>& first : kAll)
        for (const std::vector<std::string>& second : kAll) {
            std::vector<std::string> words = first;
            words.insert(words.end(), second.begin(), second.end());
            EXPECT_EQ(first_message(words), expected(first, second)) << first[0] << " " << second[0];
        }
}

TEST(OptionPairs, ServiceVerbsAreAcceptedOrRefusedAsTheManualSays)
{
    for (const ServiceVerb& verb : service_verbs())
        for (const std::vector<std::string>& option : kAll) {
            std::vector<std::string> words = {"service", std::string(verb.name)};
            words.insert(words.end(), option.begin(), option.end());
            EXPECT_EQ(first_message(words), expected({"service " + std::string(verb.name)}, option))
                << verb.name << " " << option[0];
        }
}

TEST(OptionPairs, AHeaderForSeveralScriptsNeedsAnOutputFile)
{
    EXPECT_EQ(first_message({"-h", "-s", "a.d", "-s", "b.d"}),
              "-h requires an output file if multiple scripts are specified");
    EXPECT_EQ(first_message({"-h", "-s", "a.d", "-s", "b.d", "-o", "h"}), "");
    EXPECT_EQ(first_message({"-h", "-n", "n", "-o", "h"}), "");
}

TEST(OptionPairs, LongAndShortFormsOfAnOptionAreEquivalent)
{
    for (const OptionEntry& entry : option_table()) {
        if (entry.letter == 0 || entry.long_name.empty() || entry.role == Role::Mode)
            continue;
        const std::string name = "--" + std::string(entry.long_name);
        std::vector<const char*> joined = {"dtrace", name.c_str()}, apart = joined, letter = {"dtrace"};
        const std::string with_value = name + "=1", short_form = std::string("-") + entry.letter;
        letter.push_back(short_form.c_str());
        if (entry.value) {
            joined = {"dtrace", with_value.c_str()};
            apart.push_back("1");
            letter.push_back("1");
        }
        const auto a = parse_arguments(joined), b = parse_arguments(apart), c = parse_arguments(letter);
        for (const auto* each : {&a, &b, &c}) {
            ASSERT_TRUE(std::holds_alternative<Arguments>(*each)) << name;
            const Arguments& one = std::get<Arguments>(*each);
            const Arguments& other = std::get<Arguments>(c);
            EXPECT_EQ(one.settings.size(), other.settings.size()) << name;
            EXPECT_EQ(one.programs.size(), other.programs.size()) << name;
            EXPECT_EQ(one.processes.size(), other.processes.size()) << name;
            EXPECT_EQ(one.compile_only, other.compile_only) << name;
            EXPECT_EQ(one.output, other.output) << name;
        }
    }
}

TEST(OptionPairs, TheModeTopSetsTheRunTimeOptionTop)
{
    const auto parsed = parse_arguments(std::vector<const char*>{"dtrace", "--top", "-n", "BEGIN"});
    const Arguments& arguments = std::get<Arguments>(parsed);
    ASSERT_EQ(arguments.settings.size(), 1u);
    EXPECT_EQ(arguments.settings[0].letter, 'x');
    EXPECT_EQ(arguments.settings[0].value, "top");
}

TEST(OptionPairs, TheModeEstimateSetsTheRunTimeOptionEstimate)
{
    for (const auto& [word, setting] : {std::pair("--estimate", "estimate"), std::pair("--estimate=2s", "estimate=2s"),
                                        std::pair("--est=2s", "estimate=2s")}) {
        const auto parsed = parse_arguments(std::vector<const char*>{"dtrace", word, "-n", "BEGIN"});
        const Arguments& arguments = std::get<Arguments>(parsed);
        ASSERT_EQ(arguments.settings.size(), 1u);
        EXPECT_EQ(arguments.settings[0].letter, 'x');
        EXPECT_EQ(arguments.settings[0].value, setting);
    }
}

} // namespace
} // namespace dt::cmd
