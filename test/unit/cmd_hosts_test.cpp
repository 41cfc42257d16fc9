// Tests the host names of --hosts and the quoting of arguments for a remote shell (dtrace(8), OPTIONS).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmd/hosts/hosts_mode.hpp"
#include "cmd/hosts/remote_shells.hpp"

namespace dt::cmd {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const std::string& set)
{
    auto found = host_names(set);
    return found ? found.value() : std::vector<std::string>{"refused: " + found.error().message};
}

TEST(HostNames, BracketsContainNumbersAndRanges)
{
    EXPECT_THAT(names("web1"), ElementsAre("web1"));
    EXPECT_THAT(names("web[08-11]"), ElementsAre("web08", "web09", "web10", "web11"));
    EXPECT_THAT(names("r[1,3-4]n[0-1].x,db"),
                ElementsAre("r1n0.x", "r1n1.x", "r3n0.x", "r3n1.x", "r4n0.x", "r4n1.x", "db"));
}

TEST(HostNames, InvalidSetsAreRefused)
{
    for (const char* set :
         {"web[1-", "web]", "web[2-1]", "web[a]", "web[]", "a,,b", "", "h[1-200000]", "[1-999][1-999]"})
        EXPECT_THAT(names(set),
                    ElementsAre(testing::StartsWith("refused: '" + std::string(set) + "' is not a list of hosts")));
    EXPECT_THAT(names("@web"), ElementsAre(testing::HasSubstr("nodeset -e")));
}

TEST(HostOutputLines, AreAssembledFromThePiecesThatArrive)
{
    Lines lines;
    std::vector<std::string> whole;
    const auto add = [&](std::string_view line) { whole.emplace_back(line); };
    lines.add("on", add);
    lines.add("e\ntwo\n\nth", add);
    lines.finish(add);
    EXPECT_THAT(whole, ElementsAre("one", "two", "", "th"));
}

TEST(RemoteShells, AQuotedArgumentStaysOneWordOfTheShell)
{
    EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

} // namespace
} // namespace dt::cmd
