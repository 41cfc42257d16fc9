// Every probe of the stable providers, and every member of what their arguments are translated to, is named in a run test. That a name is there does not
// say that the test is good; that none is there says that there is no test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "probes/stable/stable.hpp"

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
    for (const auto& entry : std::filesystem::directory_iterator(folder))
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

TEST(Covered, EveryTranslatedMember)
{
    std::set<std::string> words, members;
    for (const auto& path : files_in(DTRACE_RUN_TESTS, {".d", ".sh"}))
        add_matches(words, text_of(path), "[A-Za-z_][A-Za-z_0-9]*");
    for (const auto& path : files_in(DTRACE_LIBRARY, {".d"}))
        add_matches(members, text_of(path), "\t[a-z][a-z0-9]*_[a-z_0-9]+(?= = )"); // as a translator defines them
    EXPECT_GT(members.size(), 100U);
    for (const std::string& member : members)
        EXPECT_TRUE(words.count(member.substr(1)) != 0) << "no run test names" << member;
}

TEST(Covered, EveryProbe)
{
    // Where the compiler has put its function into another there is no such probe: so in every kernel that the tests run on.
    const std::set<std::string> kNowhere = {"vminfo:zfod"};
    std::set<std::string> named;
    for (const auto& path : files_in(DTRACE_RUN_TESTS, {".d", ".sh"}))
        add_matches(named, text_of(path), "[a-z]+:::[a-z_-]+");
    const std::map<std::string, const std::vector<Row>*> kProviders = {
        {"proc", &proc_rows()}, {"sched", &sched_rows()},   {"ip", &ip_rows()},           {"tcp", &tcp_rows()},           {"udp", &udp_rows()},
        {"io", &io_rows()},     {"vminfo", &vminfo_rows()}, {"sysinfo", &sysinfo_rows()}, {"lockstat", &lockstat_rows()},
    };
    for (const auto& [provider, rows] : kProviders)
        for (const Row& row : *rows)
            EXPECT_TRUE(named.count(provider + ":::" + row.name) != 0 || kNowhere.count(provider + ":" + row.name) != 0)
                << "no run test names " << provider << ":::" << row.name;
}

} // namespace
} // namespace dt::probes::stable
