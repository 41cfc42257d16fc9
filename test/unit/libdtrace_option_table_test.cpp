// Tests every option of -x: valid and invalid values, and the sources from which it may be set (dtrace(8), RUN-TIME
// OPTIONS). The table in this file has a row for each option and follows the manual.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "libdtrace/options/options.hpp"
#include "test/support/manual.hpp"

namespace dt {
namespace {

enum class RowKind { C, R, D };
using enum RowKind;

struct Row {
    const char* name;
    RowKind kind;
    const char* good; ///< a valid value; null if the option takes no value
    const char* bad;  ///< an invalid value; null if every value is accepted
    bool no_program = false;
    bool refused = false; ///< whether the option exists but is not supported in this version
};

constexpr const char* kAlone = nullptr;
constexpr bool kNoProgram = true, kRefused = true;

const Row kRows[] = {
    {"aggpack", D, kAlone, "maybe"},
    {"aggevery", D, "10s,clear", "10s,keep"},
    {"agghist", D, "on", "maybe"},
    {"aggpercpu", C, kAlone, "on"},
    {"aggrate", D, "10hz", "10q"},
    {"aggsize", R, "1m", "1q"},
    {"aggsortkey", D, kAlone, "maybe"},
    {"aggsortkeypos", D, "1", "x"},
    {"aggsortpart", D, "futex", "x"},
    {"aggsortpos", D, "1", "x"},
    {"aggsortrev", D, "off", "maybe"},
    {"aggttl", R, "10m", "10q"},
    {"aggzoom", D, kAlone, "maybe"},
    {"amin", C, "Stable/Stable/ISA", "Good"},
    {"annotate", R, kAlone, "maybe"},
    {"argref", C, kAlone, "1"},
    {"bpflog", R, kAlone, "maybe"},
    {"bpflogsize", R, "1m", "-1"},
    {"bufpolicy", R, "fill", "empty"},
    {"bufresize", R, "manual", "never"},
    {"bufsize", R, "8m", "8q"},
    {"cgroup", C, "/a", kAlone, kNoProgram},
    {"cleanrate", R, "50hz", "fast"},
    {"sandbox", C, "always", "sometimes", kNoProgram},
    {"control", C, "/run/s", kAlone, kNoProgram},
    {"core", C, kAlone, "1"},
    {"cpp", C, kAlone, "1"},
    {"cost", R, "10s", "0"},
    {"cppargs", C, "-v -v", kAlone, kNoProgram},
    {"cpphdrs", C, kAlone, "1", kNoProgram},
    {"cpppath", C, "/usr/bin/cpp", kAlone, kNoProgram},
    {"cpu", R, "0", "first"},
    {"ctfpath", C, "f", kAlone, kNoProgram},
    {"ctypes", C, "f", kAlone, false, kRefused},
    {"deadline", R, "10s", "x", kNoProgram},
    {"debug", C, kAlone, "1"},
    {"debugassert", C, "mutexes", "locks"},
    {"defaultargs", C, kAlone, "1"},
    {"define", C, "N=1", kAlone, kNoProgram},
    {"destructive", R, kAlone, "maybe"},
    {"diag", C, "brief", "long"},
    {"disasm", C, "15", "x"},
    {"dofstashpath", C, "/run", kAlone},
    {"droptags", C, kAlone, kAlone},
    {"dtypes", C, "f", kAlone, false, kRefused},
    {"dynvarpolicy", R, "lru", "fifo"},
    {"dynvarsize", R, "1m", "x"},
    {"empty", C, kAlone, "1"},
    {"errors", C, "json", "xml"},
    {"errtags", C, kAlone, "1"},
    {"escape", R, "on", "maybe"},
    {"estimate", R, "100ms", "0", kNoProgram},
    {"evaltime", C, "main", "soon"},
    {"fbtall", C, kAlone, "1", kNoProgram},
    {"hits", R, kAlone, "maybe"},
    {"flameicicle", R, kAlone, "maybe"},
    {"flamesubtitle", R, "t", kAlone},
    {"flametitle", R, "t", kAlone},
    {"flameunit", R, "ns", kAlone},
    {"flowindent", D, kAlone, "maybe"},
    {"followchildren", C, "fork", "all", kNoProgram},
    {"format", R, "jsonl", "json"},
    {"grabanon", R, kAlone, "maybe"},
    {"hostkey", R, kAlone, "maybe"},
    {"incdir", C, "/tmp", kAlone, kNoProgram},
    {"iregs", C, "8", "9"},
    {"jstackall", C, kAlone, "maybe"},
    {"jstackframes", R, "10", "x"},
    {"jstackstrsize", R, "1k", "x"},
    {"kdefs", C, kAlone, "1"},
    {"kernel", C, "/boot/btf", kAlone, kNoProgram},
    {"knodefs", C, kAlone, "1"},
    {"late", C, "static", "never"},
    {"lazyload", C, kAlone, "1"},
    {"ldpath", C, "/bin/ld", kAlone, kNoProgram},
    {"labels", R, "team=web,env=prod", "team"},
    {"drops", R, kAlone, "maybe"},
    {"pintimeout", R, "1h", "x"},
    {"libdir", C, "/tmp", kAlone},
    {"linkmode", C, "dynamic", "late"},
    {"linknommap", C, kAlone, "1"},
    {"linktype", C, "DOF", "aout"},
    {"lockmem", R, "unlimited", "x", kNoProgram},
    {"maxcost", R, "5%", "101%"},
    {"maxframes", R, "10", "x"},
    {"maxmem", R, "1g", "x"},
    {"memlimit", R, "1g", "x"},
    {"memorymax", C, "dtrace.service", kAlone, kNoProgram},
    {"metrics", C, "127.0.0.1:9464", kAlone, kNoProgram},
    {"modpath", C, "/tmp", kAlone, kNoProgram},
    {"nolibs", C, kAlone, "1"},
    {"noresolve", R, kAlone, "maybe"},
    {"warnings", R, "off", "x"},
    {"nspec", R, "4", "x"},
    {"opt", C, "0", "3"},
    {"otlp", R, "http://localhost:4318", "localhost:4318"},
    {"otlpheaders", R, "/etc/dtrace/collector", kAlone, kNoProgram},
    {"output", C, "/var/log/x", kAlone},
    {"passtiming", C, kAlone, "1"},
    {"pcapsize", R, "100", "x"},
    {"pgmax", C, "8", "x"},
    {"pin", R, "of_mine", "../of_mine"},
    {"preallocate", C, "1m", "x"},
    {"printsize", D, "100", "x"},
    {"procfspath", C, "/proc", kAlone, kNoProgram},
    {"pspec", C, kAlone, "1"},
    {"quiet", D, "yes", "maybe"},
    {"quietresize", D, kAlone, "maybe"},
    {"rawbytes", D, kAlone, "maybe"},
    {"requestkey", C, "arg0", kAlone},
    {"rotate", R, "100m,5", "100q"},
    {"save", C, "/tmp/f.o", kAlone, kNoProgram},
    {"schema", R, "sqlite", "oracle"},
    {"scratchsize", R, "1k", "x"},
    {"specsize", R, "1m", "x"},
    {"sourcelines", R, kAlone, "maybe"},
    {"stackframes", R, "5", "x"},
    {"maxseries", R, "100", "x"},
    {"sharedvars", C, "a,self", kAlone},
    {"stackindent", D, "0", "x"},
    {"statusrate", R, "100ms", "x"},
    {"stdc", C, "t", "z", kNoProgram},
    {"strip", C, kAlone, "1"},
    {"strsize", R, "512", "1"},
    {"switchrate", D, "5hz", "x"},
    {"syslibdir", C, "/tmp", kAlone},
    {"sysslice", C, "s", kAlone},
    {"target", C, "arm64", "vax", kNoProgram},
    {"temporal", R, "off", "maybe"},
    {"timing", R, kAlone, "maybe"},
    {"top", R, kAlone, "maybe"},
    {"tree", C, "7", "0"},
    {"tregs", C, "8", "0"},
    {"udefs", C, kAlone, "1"},
    {"undef", C, "N", kAlone, kNoProgram},
    {"unodefs", C, kAlone, "1"},
    {"ustackframes", R, "5", "x"},
    {"user", C, "daemon", kAlone},
    {"useruid", C, "1000", "x"},
    {"verbose", C, kAlone, "1"},
    {"version", C, "1.6", kAlone},
    {"timestamps", R, kAlone, "maybe"},
    {"zdefs", C, kAlone, "1"},
};

/// Returns the error message, or "" if the value was accepted.
std::string set(const Row& row, const char* value, OptionSource source)
{
    Options options;
    const Result<void> result =
        options.set(row.name, value ? std::optional<std::string_view>(value) : std::nullopt, source);
    return result ? "" : result.error().message;
}

TEST(OptionTable, HasEveryOption)
{
    std::set<std::string_view> here, there;
    for (const Row& row : kRows)
        here.insert(row.name);
    for (const std::string_view name : Options::names())
        there.insert(name);
    EXPECT_EQ(here, there);
}

TEST(OptionTable, ValidValuesAreAcceptedAndOthersRefused)
{
    for (const Row& row : kRows) {
        EXPECT_EQ(set(row, row.good, OptionSource::CommandLine),
                  row.refused ? "Option is not available in this version" : "")
            << row.name;
        if (row.bad) {
            EXPECT_EQ(set(row, row.bad, OptionSource::CommandLine), "Invalid value for specified option")
                << row.name << "=" << row.bad;
        }
        const bool needs_value = row.good && row.kind == C;
        if (needs_value && !row.refused && std::string_view(row.name) != "version") {
            EXPECT_EQ(set(row, nullptr, OptionSource::CommandLine), "Invalid value for specified option") << row.name;
        }
    }
}

TEST(OptionTable, AnOptionCanBeSetOnlyFromItsPermittedSources)
{
    for (const Row& row : kRows) {
        if (row.refused)
            continue;
        EXPECT_EQ(set(row, row.good, OptionSource::Pragma),
                  row.no_program ? "Option cannot be used from within a D program" : "")
            << row.name;
        EXPECT_EQ(set(row, row.good, OptionSource::Setopt),
                  row.kind == D ? "" : "Operation illegal when tracing is active")
            << row.name;
        EXPECT_EQ(set(row, row.good ? row.good : "1", OptionSource::Environment), "") << row.name;
    }
}

TEST(OptionTable, EveryOptionHasAnExplanation)
{
    for (const std::string_view name : Options::names())
        EXPECT_FALSE(Options::find(name)->text.empty()) << name;
}

// ---- comparison of the option table with dtrace(8), RUN-TIME OPTIONS -----------------------------------------------

/// An option in the heading of a manual entry, for example `.BR bufsize "=\\fIsize\\fP (4m), "`.
struct Described {
    /// `initial`: the option's default value, which the manual's heading shows in parentheses
    std::string name, marks, initial;
};

std::vector<Described> described_options()
{
    static const std::regex kWord("\"([^\"]*)\"|(\\S+)"), kSaid("([*+!]*)[^(]*(?:\\((.*)\\))?.*");
    std::vector<Described> all;
    std::istringstream lines(test::manual_text("dtrace.8", "RUN-TIME OPTIONS"));
    bool is_head = false;
    for (std::string line; std::getline(lines, line); is_head = line == ".TP") {
        if (!is_head || !line.starts_with(".BR "))
            continue;
        const std::string rest = line.substr(4);
        std::vector<std::string> words; // arguments of the man(7) macro .BR, which are bold and roman in turn
        for (auto at = std::sregex_iterator(rest.begin(), rest.end(), kWord); at != std::sregex_iterator(); ++at)
            words.push_back((*at)[1].matched ? (*at)[1] : (*at)[2]);
        words.resize(words.size() + words.size() % 2);
        for (std::size_t i = 0; i < words.size(); i += 2) {
            std::smatch said;
            std::regex_match(words[i + 1], said, kSaid);
            all.push_back({words[i], said[1], said[2]});
        }
    }
    return all;
}

TEST(OptionTable, EachOptionHasAnEntryInTheManual)
{
    std::set<std::string_view> described;
    const std::vector<Described> all = described_options();
    for (const Described& each : all)
        described.insert(each.name);
    for (const std::string_view name : Options::names())
        EXPECT_TRUE(described.contains(name)) << "dtrace(8), RUN-TIME OPTIONS has no entry for " << name;
}

TEST(OptionTable, TheManualMarksDynamicOptions)
{
    const std::vector<Described> all = described_options();
    EXPECT_GT(all.size(), 90u); // with fewer options, the test has failed to recognize the manual's headings
    for (const Described& described : all) {
        const OptionHead* const option = Options::find(described.name);
        ASSERT_TRUE(option) << described.name;
        const std::string marks =
            std::string(option->kind == OptionKind::Dynamic ? "*" : "") +
            (option->kind == OptionKind::Compile && option->syntax == OptionSyntax::Flag ? "!" : "") +
            (option->user == OptionUser::NoProgram ? "+" : "");
        EXPECT_EQ(described.marks, marks) << described.name;
    }
}

TEST(OptionTable, TheManualStatesTheDefaultOfEachOption)
{
    std::size_t told = 0;
    for (const Described& described : described_options()) {
        if (described.initial.empty())
            continue;
        ++told;
        Options options;
        // Options whose default the manual does not state in parentheses.
        if (described.name == "cpu" || described.name == "memlimit" || described.name == "maxmem") {
            EXPECT_FALSE(options.run().cpu || options.run().maxmem || options.compile().memlimit);
            continue;
        }
        EXPECT_TRUE(options.set(described.name, described.initial, OptionSource::CommandLine)) << described.name;
        CompileOptions compile = options.compile();
        compile.aggsize_set = compile.dynvarsize_set = false;
        RunOptions run = options.run();
        run.bufsize_set = false;
        EXPECT_TRUE(compile == CompileOptions() && run == RunOptions() && options.print() == PrintOptions())
            << described.name << "=" << described.initial;
    }
    EXPECT_GT(told, 30u);
}

} // namespace
} // namespace dt
