// Determines kernel, processor and tool versions.
#include "test/bench/machine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace dt::bench {

namespace {

std::string first_line_of(const std::string& command)
{
    std::string line;
    if (FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r")) {
        std::array<char, 256> text{};
        if (std::fgets(text.data(), text.size(), pipe) != nullptr)
            line = text.data();
        pclose(pipe);
    }
    while (!line.empty() && line.back() == '\n')
        line.pop_back();
    return line;
}

std::string processor()
{
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);)
        if (line.compare(0, 10, "model name") == 0)
            return line.substr(line.find(": ") + 2);
    return "unknown";
}

std::string today()
{
    const std::time_t now = std::time(nullptr);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d", std::gmtime(&now));
    return text.data();
}

} // namespace

namespace {

/// Returns the seconds in which a CPU was not idle and not waiting for a disk, according to /proc/stat (proc(5)). Time
/// that the host of a virtual machine gave to other guests counts as busy.
double busy_seconds()
{
    std::ifstream stream("/proc/stat");
    std::string name;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, hard = 0, soft = 0, stolen = 0;
    stream >> name >> user >> nice >> system >> idle >> waiting >> hard >> soft >> stolen;
    return (user + nice + system + hard + soft + stolen) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_seconds()
{
    double sum = 0;
    for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(whose, &usage);
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
            sum += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    }
    return sum;
}

double seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

Others::Others() : begin_s_(seconds()), busy_s_(busy_seconds()), own_s_(own_seconds()) {}

double Others::cpus() const
{
    const double busy = busy_seconds() - busy_s_, own = own_seconds() - own_s_;
    return std::max(0.0, (busy - own) / (seconds() - begin_s_));
}

std::string busy_line(double others)
{
    constexpr double kBusy = 0.25;
    if (others <= kBusy)
        return {};
    char text[96];
    std::snprintf(text, sizeof text, "**Taken on a busy machine**: others took %.2f of its CPUs meanwhile.\n\n",
                  others);
    return text;
}

std::string commit_of(const std::string& tree)
{
    const std::string commit = first_line_of("git -c safe.directory='*' -C '" + tree + "' describe --always --dirty");
    return commit.empty() ? "unknown" : commit;
}

std::string command_of(std::string command, const std::vector<std::string>& words)
{
    for (const std::string& word : words)
        command += " " + word;
    return command;
}

double load()
{
    double minute = 0;
    return getloadavg(&minute, 1) == 1 ? minute : 0;
}

Facts machine_facts(const std::string& dtrace)
{
    utsname kernel{};
    uname(&kernel);
    Facts facts{{"date", today()},
                {"kernel", std::string(kernel.release) + " " + kernel.machine},
                {"processor", processor()},
                {"CPUs", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))},
                {"dtrace", first_line_of(dtrace + " -V")},
                {"by hand", DTRACE_BENCH_BPF_COMPILER}};
    for (const char* peer : {"bpftrace", "stap", "perf"})
        if (const std::string version = first_line_of(std::string(peer) + " --version"); !version.empty())
            facts.emplace_back(peer, version);
    return facts;
}

} // namespace dt::bench
