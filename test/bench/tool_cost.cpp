// Detects whether another tracer has begun to trace. Not every tracer reports that it is ready. Slower calls are no
// proof, because the tracer's compiler or another program may slow the loop down. So this file also checks which BPF
// objects the tracer has open.
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

/// Returns whether the process has BPF maps, programs or links open. A program may have no descriptor if only a perf
/// event refers to it.
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

// Waits until the process has BPF objects, has opened nothing for half a second, and calls have become slower.
bool wait_until_traced(const Tool& tool, double untraced, long number)
{
    constexpr int kLooks = 8;
    // Calls count as slower if they take this number of ns more, half of what the cheapest row of the cost table adds.
    constexpr double kSlower = 40;
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
    // lets the tracer finish its start-up work, which would slow down the measured loop
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const double traced = loop.time_long();
    tool.interrupt();
    return traced - (before + loop.time_long()) / 2;
}

} // namespace dt::bench
