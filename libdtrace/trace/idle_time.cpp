#include "libdtrace/trace/idle_time.hpp"

#include <sstream>
#include <string>
#include <unistd.h>

#include "base/proc_file.hpp"
#include "base/text.hpp"
#include "base/time.hpp"

namespace dt {

namespace {

constexpr std::size_t kMostCpus = 1 << 16; // a larger number is no CPU's
constexpr std::string_view kCpu = "cpu";

} // namespace

std::vector<uint64_t> idle_by_cpu(std::string_view stat, uint64_t ticks)
{
    std::vector<uint64_t> idle;
    for_each_line(stat, [&](std::string_view line) {
        if (!line.starts_with(kCpu) || line.starts_with("cpu "))
            return; // that one is of all CPUs
        std::istringstream words{std::string(line.substr(kCpu.size()))};
        uint64_t cpu = 0, user = 0, nice = 0, system = 0, idling = 0, waiting = 0;
        if (!(words >> cpu >> user >> nice >> system >> idling >> waiting) || cpu >= kMostCpus)
            return;
        if (cpu >= idle.size())
            idle.resize(cpu + 1);
        idle[cpu] = (idling + waiting) * (kSecond / ticks);
    });
    return idle;
}

std::vector<uint64_t> idle_by_cpu()
{
    return idle_by_cpu(read_proc_file("/proc/stat"), static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
}

} // namespace dt
