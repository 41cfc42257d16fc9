// Every option of -x: what it takes, from where it may be set, and what is refused (dtrace(8), RUN-TIME OPTIONS). One row an option, written from the manual.
#include <gtest/gtest.h>

#include <set>

#include "dcompiler/options.hpp"

namespace dt {
namespace {

enum class Kind { C, R, D };
using enum Kind;

struct Row {
    const char* name;
    Kind kind;
    const char* good; ///< null: it stands alone
    const char* bad;  ///< null: everything is taken
    bool no_program = false;
    bool refused = false; ///< known, and not in this version
};

constexpr const char* kAlone = nullptr;
constexpr bool kNoProgram = true, kRefused = true;

const Row kRows[] = {
    {"aggpack", D, kAlone, "maybe"},
    {"agghist", D, "on", "maybe"},
    {"aggpercpu", C, kAlone, "on"},
    {"aggrate", D, "10hz", "10q"},
    {"aggsize", R, "1m", "1q"},
    {"aggsortkey", D, kAlone, "maybe"},
    {"aggsortkeypos", D, "1", "x"},
    {"aggsortpos", D, "1", "x"},
    {"aggsortrev", D, "off", "maybe"},
    {"aggzoom", D, kAlone, "maybe"},
    {"amin", C, "Stable/Stable/ISA", "Good"},
    {"argref", C, kAlone, "1"},
    {"bpflog", R, kAlone, "maybe"},
    {"bpflogsize", R, "1m", "-1"},
    {"bufpolicy", R, "fill", "empty"},
    {"bufresize", R, "manual", "never"},
    {"bufsize", R, "8m", "8q"},
    {"cgroup", C, "/a", kAlone, kNoProgram},
    {"cleanrate", R, "50hz", "fast"},
    {"core", C, kAlone, "1"},
    {"cost", R, kAlone, kAlone, false, kRefused},
    {"cpp", C, kAlone, "1"},
    {"cppargs", C, "-v -v", kAlone, kNoProgram},
    {"cpphdrs", C, kAlone, "1", kNoProgram},
    {"cpppath", C, "/usr/bin/cpp", kAlone, kNoProgram},
    {"cpu", R, "0", "first"},
    {"ctfpath", C, "f", kAlone, kNoProgram},
    {"ctypes", C, "f", kAlone, false, kRefused},
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
    {"dynvarsize", R, "1m", "x"},
    {"empty", C, kAlone, "1"},
    {"errors", C, "json", "xml"},
    {"errtags", C, kAlone, "1"},
    {"escape", R, "on", "maybe"},
    {"evaltime", C, "main", "soon"},
    {"fbtall", C, kAlone, "1", kNoProgram},
    {"firings", R, kAlone, "maybe"},
    {"flameicicle", R, kAlone, "maybe"},
    {"flamesubtitle", R, "t", kAlone},
    {"flametitle", R, "t", kAlone},
    {"flameunit", R, "ns", kAlone},
    {"flowindent", D, kAlone, "maybe"},
    {"follow", C, "fork", "all", kNoProgram},
    {"format", R, "jsonl", "json"},
    {"grabanon", R, kAlone, "maybe"},
    {"incdir", C, "/tmp", kAlone, kNoProgram},
    {"iregs", C, "8", "9"},
    {"jstackframes", R, "10", "x"},
    {"jstackstrsize", R, "1k", "x"},
    {"kdefs", C, kAlone, "1"},
    {"knodefs", C, kAlone, "1"},
    {"late", C, "static", "never"},
    {"lazyload", C, kAlone, "1"},
    {"ldpath", C, "/bin/ld", kAlone, kNoProgram},
    {"ledger", R, kAlone, kAlone, false, kRefused},
    {"libdir", C, "/tmp", kAlone},
    {"linkmode", C, "dynamic", "late"},
    {"linknommap", C, kAlone, "1"},
    {"linktype", C, "DOF", "aout"},
    {"lockmem", R, "unlimited", "x", kNoProgram},
    {"maxcost", R, "5", kAlone, false, kRefused},
    {"maxframes", R, "10", "x"},
    {"memlimit", R, "1g", "x"},
    {"modpath", C, "/tmp", kAlone, kNoProgram},
    {"nolibs", C, kAlone, "1"},
    {"noresolve", R, kAlone, "maybe"},
    {"notes", R, "off", "x"},
    {"nspec", R, "4", "x"},
    {"opt", C, "0", "3"},
    {"passes", C, kAlone, "1"},
    {"pcapsize", R, "100", "x"},
    {"pgmax", C, "8", "x"},
    {"preallocate", C, "1m", "x"},
    {"printsize", D, "100", "x"},
    {"procfspath", C, "/proc", kAlone, kNoProgram},
    {"pspec", C, kAlone, "1"},
    {"quiet", D, "yes", "maybe"},
    {"quietresize", D, kAlone, "maybe"},
    {"rawbytes", D, kAlone, "maybe"},
    {"save", C, "/tmp/f.o", kAlone, kNoProgram},
    {"scratchsize", R, "1k", "x"},
    {"specsize", R, "1m", "x"},
    {"srclines", R, kAlone, "maybe"},
    {"stackframes", R, "5", "x"},
    {"stackindent", D, "0", "x"},
    {"statusrate", R, "100ms", "x"},
    {"stdc", C, "t", "z", kNoProgram},
    {"strip", C, kAlone, "1"},
    {"strsize", R, "512", "1"},
    {"switchrate", D, "5hz", "x"},
    {"syslibdir", C, "/tmp", kAlone},
    {"sysslice", C, "s", kAlone},
    {"temporal", R, "off", "maybe"},
    {"timing", R, kAlone, "maybe"},
    {"top", R, kAlone, "maybe"},
    {"tree", C, "7", "0"},
    {"tregs", C, "8", "0"},
    {"udefs", C, kAlone, "1"},
    {"undef", C, "N", kAlone, kNoProgram},
    {"unodefs", C, kAlone, "1"},
    {"ustackframes", R, "5", "x"},
    {"useruid", C, "1000", "x"},
    {"verbose", C, kAlone, "1"},
    {"version", C, "1.6", kAlone},
    {"wallclock", R, kAlone, "maybe"},
    {"zdefs", C, kAlone, "1"},
};

/// The refusal; empty: it was taken.
std::string set(const Row& row, const char* value, OptionSource source)
{
    Options options;
    const Result<void> result = options.set(row.name, value ? std::optional<std::string_view>(value) : std::nullopt, source);
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

TEST(OptionTable, GoodValuesAreTakenAndBadOnesRefused)
{
    for (const Row& row : kRows) {
        EXPECT_EQ(set(row, row.good, OptionSource::CommandLine), row.refused ? "Option is not available in this version" : "") << row.name;
        if (row.bad) {
            EXPECT_EQ(set(row, row.bad, OptionSource::CommandLine), "Invalid value for specified option") << row.name << "=" << row.bad;
        }
        const bool needs_value = row.good && row.kind == C;
        if (needs_value && !row.refused && std::string_view(row.name) != "version") {
            EXPECT_EQ(set(row, nullptr, OptionSource::CommandLine), "Invalid value for specified option") << row.name;
        }
    }
}

TEST(OptionTable, WhoMaySetWhat)
{
    for (const Row& row : kRows) {
        if (row.refused)
            continue;
        EXPECT_EQ(set(row, row.good, OptionSource::Pragma), row.no_program ? "Option cannot be used from within a D program" : "") << row.name;
        EXPECT_EQ(set(row, row.good, OptionSource::Setopt), row.kind == D ? "" : "Operation illegal when tracing is active") << row.name;
        EXPECT_EQ(set(row, row.good ? row.good : "1", OptionSource::Environment), "") << row.name;
    }
}

} // namespace
} // namespace dt
