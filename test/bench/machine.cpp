// Kernel, processor, versions.
#include "test/bench/machine.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

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
