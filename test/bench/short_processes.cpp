#include "test/bench/short_processes.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>

#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/bench/loop.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr long long kSecond = 1'000'000'000;

double private_kb(const std::string& process)
{
    double all = 0;
    std::ifstream parts(process + "/smaps_rollup");
    for (std::string name; parts >> name;) {
        double kb = 0;
        if (name.starts_with("Private_") && parts >> kb)
            all += kb;
    }
    return all;
}

double private_kb_of_readers(pid_t tracer)
{
    double all = 0;
    std::error_code gone;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(tracer) + "/task", gone)) {
        std::ifstream children(thread.path() / "children");
        for (std::string child, name; children >> child;)
            if (std::ifstream("/proc/" + child + "/comm") >> name &&
                (name == "dtrace-reader" || name == "dtrace-compiler"))
                all += private_kb("/proc/" + child);
    }
    return all;
}

} // namespace

ShortProcesses::ShortProcesses(const std::string& program, int rate)
{
    const long cpus = std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L);
    for (long cpu = 0; cpu < cpus; ++cpu)
        threads_.emplace_back([this, program, cpu, step = kSecond * cpus / rate](const std::stop_token& stop) {
            use_cpu(cpu);
            run(stop, program, step);
        });
}

void ShortProcesses::run(const std::stop_token& stop, const std::string& program, long long step)
{
    char* const arguments[] = {const_cast<char*>(program.c_str()), nullptr};
    char* const environment[] = {nullptr};
    std::deque<pid_t> running; // pids of running processes, oldest first; they end roughly in this order
    for (long long due = monotonic_ns(); !stop.stop_requested(); due = std::max(due + step, monotonic_ns() - step)) {
        const timespec at{static_cast<time_t>(due / kSecond), static_cast<long>(due % kSecond)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
        pid_t pid = 0;
        if (posix_spawn(&pid, program.c_str(), nullptr, nullptr, arguments, environment) == 0) {
            running.push_back(pid);
            ++started_;
        }
        while (!running.empty() && waitpid(running.front(), nullptr, WNOHANG) != 0)
            running.pop_front();
    }
    for (const pid_t pid : running)
        waitpid(pid, nullptr, 0);
}

TracerMemory memory_of_tracer(pid_t tracer)
{
    TracerMemory memory{0, 0, map_kb(tracer) / 1024, private_kb_of_readers(tracer) / 1024};
    std::ifstream status("/proc/" + std::to_string(tracer) + "/status");
    for (std::string name; status >> name;) {
        double kb = 0;
        if (name == "VmRSS:" && status >> kb)
            memory.resident = kb / 1024;
        else if (name == "RssAnon:" && status >> kb)
            memory.own = kb / 1024;
    }
    return memory;
}

} // namespace dt::bench
