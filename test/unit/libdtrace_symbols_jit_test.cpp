// Tests perf-PID.map, the file in which just-in-time compilers list their functions.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/symbols/jit_symbols.hpp"

// NOLINT(bugprone-reserved-identifier): defined by the address sanitizer
extern "C" __attribute__((weak)) void __asan_init();

namespace {

using dt::find_jit;
using dt::parse_jit_map;

TEST(JitMap, AnAddressInsideAFunctionHasTheNameOfTheFunction)
{
    const auto symbols = parse_jit_map("2000 10 second\n1000 20 first one\n");
    ASSERT_NE(find_jit(symbols, 0x1000), nullptr);
    EXPECT_EQ(find_jit(symbols, 0x101f)->name, "first one");
    EXPECT_EQ(find_jit(symbols, 0x200f)->name, "second");
    for (const uint64_t outside : {0xfffu, 0x1020u, 0x1fffu, 0x2010u})
        EXPECT_EQ(find_jit(symbols, outside), nullptr) << outside;
}

TEST(JitMap, OfTwoLinesForAnAddressTheLaterOneApplies)
{
    const auto symbols = parse_jit_map("1000 10 old\n1000 20 new");
    ASSERT_EQ(symbols.size(), 1u);
    EXPECT_EQ(symbols[0].name, "new");
    EXPECT_EQ(symbols[0].size, 0x20u);
}

TEST(JitMap, MalformedLinesAreSkipped)
{
    EXPECT_TRUE(parse_jit_map("\nno numbers here\n1000\n1000 20\n1000 20 \nzz 20 name\n").empty());
    EXPECT_EQ(parse_jit_map("0x1000 0x20 prefixed\n").size(), 1u);
}

TEST(JitMap, AZombieProcessStillHasItsMap)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    siginfo_t ended;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    const std::string path = "/tmp/perf-" + std::to_string(child) + ".map";
    std::ofstream(path) << "1000 20 made\n";
    uint32_t owner = 0;
    EXPECT_EQ(dt::read_jit_map("/proc", child, owner, *dt::UntrustedFiles::make()).size(), 1u);
    EXPECT_EQ(owner, getuid());
    unlink(path.c_str());
    waitpid(child, nullptr, 0);
}

class JitMapFile : public testing::Test {
protected:
    ~JitMapFile() override { unlink(path_.c_str()); }
    std::vector<dt::ElfSymbols::Symbol> read(dt::UntrustedFiles& by)
    {
        uint32_t owner = 0;
        return dt::read_jit_map("/proc", getpid(), owner, by);
    }

    const std::string path_ = "/tmp/perf-" + std::to_string(getpid()) + ".map";
};

TEST_F(JitMapFile, TheSandboxedReaderReadsTheSameMap)
{
    std::ofstream(path_)
        << "ffffffffffffffff ffffffffffffffff last\n2000 10 second\n0 0 none\n1000 20 a\n1000 30 b\nzz";
    dt::UntrustedFiles readers{dt::ReadBy::Readers};
    const auto told = read(readers), own = read(*dt::UntrustedFiles::make());
    ASSERT_EQ(told.size(), 4u);
    ASSERT_EQ(own.size(), told.size());
    for (std::size_t i = 0; i < told.size(); ++i)
        EXPECT_TRUE(told[i].start == own[i].start && told[i].size == own[i].size && told[i].name == own[i].name) << i;
    EXPECT_TRUE(readers.take_refused().empty());
}

TEST_F(JitMapFile, AnOversizedMapEndsTheReaderButNotTheTracer)
{
    if (&__asan_init)
        GTEST_SKIP() << "the sanitizer has its own way to end a process that has no memory";
    std::ofstream file(path_);
    for (int i = 0; i < 600'000; ++i)
        file << std::hex << i << " 1 f\n";
    file.close();
    dt::UntrustedFiles readers{dt::ReadBy::Readers, {.memory = 16 << 20}};
    EXPECT_TRUE(read(readers).empty());
    ASSERT_EQ(readers.take_refused().size(), 1u);
}

} // namespace
