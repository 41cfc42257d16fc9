// Tests that a run test and the manual name every stable probe and every translated member. A test that names a probe
// may still be bad, but a probe that is not named has no test at all.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "probes/provider.hpp"
#include "probes/stable/stable.hpp"
#include "test/support/frozen_kernel.hpp"
#include "test/support/manual.hpp"

namespace dt::probes::stable {
namespace {

std::string text_of(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> files_in(const char* folder, const std::set<std::string>& kinds)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (kinds.count(entry.path().extension().string()) != 0)
            paths.push_back(entry.path());
    return paths;
}

void add_matches(std::set<std::string>& all, const std::string& text, const char* expression)
{
    const std::regex pattern(expression);
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        all.insert(match->str());
}

/// Returns the members that a translator defines, each with a leading tab.
std::set<std::string> translated_members()
{
    std::set<std::string> members;
    for (const auto& path : files_in(DTRACE_LIBRARY, {".d"}))
        add_matches(members, text_of(path), "\t[a-z][a-z0-9]*_[a-z_0-9]+(?= = )");
    EXPECT_GT(members.size(), 100U);
    return members;
}

std::map<std::string, const std::vector<Row>*> rows_by_provider()
{
    return {
        {"proc", &proc_rows()},     {"sched", &sched_rows()},     {"ip", &ip_rows()},
        {"tcp", &tcp_rows()},       {"udp", &udp_rows()},         {"io", &io_rows()},
        {"vminfo", &vminfo_rows()}, {"sysinfo", &sysinfo_rows()}, {"lockstat", &lockstat_rows()},
        {"sdt", &sdt_rows()},       {"fsinfo", &fsinfo_rows()},   {"mib", &mib_rows()},
        {"nfsv3", &nfsv3_rows()},   {"nfsv4", &nfsv4_rows()},     {"list", &list_rows()},
    };
}

TEST(Coverage, EveryTranslatedMemberHasARunTest)
{
    std::set<std::string> words;
    for (const auto& path : files_in(DTRACE_RUN_TESTS, {".d", ".sh"}))
        add_matches(words, text_of(path), "[A-Za-z_][A-Za-z_0-9]*");
    for (const std::string& member : translated_members())
        EXPECT_TRUE(words.count(member.substr(1)) != 0) << "no run test names" << member;
}

TEST(Coverage, TheManualHasAnEntryForEveryTranslatedMember)
{
    // Members that have no meaning on Linux and are constants. They exist so that scripts for Solaris compile.
    const std::set<std::string> kEmpty = {"pr_wstat",  "pr_taskid",   "pr_projid", "pr_nzomb", "pr_poolid",
                                          "pr_zoneid", "pr_contract", "pr_wchan",  "pr_stype"};
    std::set<std::string> words;
    add_matches(words, test::manual_text("dtrace-providers.7") + test::manual_text("dtrace-variables.7"),
                "[A-Za-z_][A-Za-z_0-9]*");
    for (const std::string& member : translated_members())
        EXPECT_TRUE(words.count(member.substr(1)) != 0 || kEmpty.count(member.substr(1)) != 0)
            << "the manual does not have" << member;
}

TEST(Coverage, EveryStableProbeHasARunTest)
{
    std::set<std::string> named;
    for (const auto& path : files_in(DTRACE_RUN_TESTS, {".d", ".sh"}))
        add_matches(named, text_of(path), "[a-z0-9]+:::[A-Za-z0-9_-]+");
    for (const auto& [provider, rows] : rows_by_provider())
        for (const Row& row : *rows)
            EXPECT_TRUE(named.count(provider + ":::" + row.name) != 0)
                << "no run test names " << provider << ":::" << row.name;
}

TEST(Coverage, TheManualHasAnEntryForEveryStableProbe)
{
    for (const auto& [provider, rows] : rows_by_provider()) {
        const std::set<std::string> words = test::bold_words(test::manual_text("dtrace-providers.7", provider));
        for (const Row& row : *rows)
            EXPECT_TRUE(words.count(row.name) != 0) << "the manual does not have " << provider << ":::" << row.name;
    }
}

TEST(Coverage, CompletionsKnowEveryProvider)
{
    test::FrozenKernel kernel;
    for (const char* path : {"dtrace.bash", "_dtrace"}) {
        std::set<std::string> words;
        add_matches(words, text_of(std::string(DTRACE_COMPLETION_DIRECTORY "/") + path), "[a-z0-9]+");
        for (const auto& provider : all_providers(kernel))
            EXPECT_TRUE(words.count(std::string(provider->name())) || provider->name() == "usdt" ||
                        // providers that completion does not offer, because programs choose their names
                        provider->name() == "application")
                << path << " " << provider->name();
    }
}

TEST(Coverage, TheManualHasAnEntryForEveryProvider)
{
    test::FrozenKernel kernel;
    for (const auto& provider : all_providers(kernel))
        EXPECT_NE(test::manual_text("dtrace-providers.7", std::string(provider->name())), "") << provider->name();
    EXPECT_NE(test::manual_text("dtrace-providers.7", "pid"), "");
}

} // namespace
} // namespace dt::probes::stable
