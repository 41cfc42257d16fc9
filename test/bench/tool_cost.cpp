// When a tracer has begun is not told by all of them, and calls may be slower before: because of its compiler, which
// runs beside the loop, or of another program. So it is asked what it holds as well.
#include "test/bench/tool_cost.hpp"

#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include <sys/syscall.h>

#include "test/bench/loop.hpp"
#include "test/bench/peer_tools.hpp"

namespace dt::bench {

namespace {

/// It holds maps, programs or links. Not all hold their programs: those of a perf event are held by that.
bool holds_bpf(pid_t pid)
{
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", ignored))
        if (std::filesystem::read_symlink(file, ignored).string().find("bpf") != std::string::npos)
            return true;
    return false;
}

} // namespace

std::size_t open_files(pid_t pid)
{
    std::error_code ignored;
    const std::filesystem::directory_iterator files("/proc/" + std::to_string(pid) + "/fd", ignored);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

// Until it holds BPF, has opened nothing more for half a second, and calls are slower.
bool wait_until_traced(const Tool& tool, double untraced, long number)
{
    constexpr int kLooks = 8;
    constexpr double kSlower = 40; // ns: half of what the cheapest row costs
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(kToolPatience);
    std::size_t known = 0;
    for (int in_a_row = 0; in_a_row < kLooks; std::this_thread::sleep_for(std::chrono::milliseconds(50))) {
        if (!tool.running() || std::chrono::steady_clock::now() > until)
            return false;
        const std::size_t now = open_files(tool.pid());
        const bool steady = now == known && holds_bpf(tool.pid());
        known = now;
        in_a_row = steady && ns_per_call(10, 250, number) > untraced + kSlower ? in_a_row + 1 : 0;
    }
    return true;
}

double added_by_tool(TurnsLoop& loop, const Words& words, std::string& problem)
{
    const double least = ns_per_call(), before = loop.time_long();
    Tool tool(words, "/dev/null");
    if (!wait_until_traced(tool, least, SYS_getppid)) {
        problem = complaint(tool.interrupt().err);
        if (problem.empty())
            problem = "no effect";
        return absent;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // its start-up work is over
    const double traced = loop.time_long();
    tool.interrupt();
    return traced - (before + loop.time_long()) / 2;
}

} // namespace dt::bench
