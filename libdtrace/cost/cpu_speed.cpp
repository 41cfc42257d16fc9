// Measures CPU speed by timing a fixed piece of code on a CPU. Also reads idle time from /proc/stat and waiting time
// from /proc/pressure.
#include "libdtrace/cost/cpu_speed.hpp"

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>

#include "base/proc_file.hpp"
#include "base/text.hpp"
#include "base/time.hpp"

namespace dt {

namespace {

constexpr std::size_t kRunsThere = 7;
constexpr int kCallsOfRun = 50;
constexpr int kAdditions = 1000; // number of additions to each of the four independent sums of the timed code

double call_time_here()
{
    const int64_t begin = now_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < kCallsOfRun; ++i)
        syscall(SYS_getppid);
    return static_cast<double>(now_ns(CLOCK_MONOTONIC) - begin) / kCallsOfRun;
}

/// Returns the median over several runs on a CPU. Single runs are misleading: the first ones find cold caches, and some
/// are interrupted.
double middle_on(uint32_t cpu, double (*run)())
{
    cpu_set_t before, there;
    CPU_ZERO(&there);
    CPU_SET(cpu, &there);
    if (cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof before, &before) != 0 ||
        sched_setaffinity(0, sizeof there, &there) != 0)
        return 0;
    std::array<double, kRunsThere> runs{};
    for (double& each : runs)
        each = run();
    sched_setaffinity(0, sizeof before, &before);
    std::nth_element(runs.begin(), runs.begin() + kRunsThere / 2, runs.end());
    return runs[kRunsThere / 2];
}

} // namespace

double call_time_on(uint32_t cpu)
{
    return middle_on(cpu, call_time_here);
}

double cpu_speed_on(uint32_t cpu)
{
    return middle_on(cpu, cpu_speed_here);
}

double CpuSpeeds::on(uint32_t cpu, uint64_t now, uint64_t holds)
{
    Measurement& speed = known_[cpu];
    if (speed.asked == 0 || now >= speed.asked + holds)
        speed = {now, cpu_speed_on(cpu)};
    return speed.ns;
}

double cpu_speed_here()
{
    uint64_t a = 0, b = 0, c = 0, d = 0;
    const int64_t begin = now_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < kAdditions; ++i) {
        ++a, ++b, ++c, ++d;
        asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d)); // prevents the compiler from removing the additions
    }
    return static_cast<double>(now_ns(CLOCK_MONOTONIC) - begin);
}

namespace {

// limit for CPU numbers; a line of /proc/stat for a CPU with a larger number is ignored
constexpr std::size_t kMaxCpus = 1 << 16;
constexpr std::string_view kCpu = "cpu";
// Maximum number of threads whose CPU time is measured. Each thread needs a descriptor, which is read at the start and
// at the end of each sampling window.
constexpr std::size_t kMaxThreads = 64;

} // namespace

std::vector<uint64_t> idle_by_cpu(std::string_view stat, uint64_t ticks)
{
    std::vector<uint64_t> idle;
    for_each_line(stat, [&](std::string_view line) {
        if (!line.starts_with(kCpu) || line.starts_with("cpu "))
            return; // skips the line "cpu", which contains the sum over all CPUs
        std::istringstream words{std::string(line.substr(kCpu.size()))};
        uint64_t cpu = 0, user = 0, nice = 0, system = 0, idling = 0, waiting = 0;
        if (!(words >> cpu >> user >> nice >> system >> idling >> waiting) || cpu >= kMaxCpus)
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

uint64_t waited_for_cpus(std::string_view pressure)
{
    // Text that precedes the total waiting time in /proc/pressure/cpu. Only the first line, "some", is evaluated, not
    // the second line, "full".
    constexpr std::string_view kTotal = "total=";
    const std::size_t at = pressure.find(kTotal);
    uint64_t us = 0;
    if (at != std::string_view::npos)
        std::from_chars(pressure.data() + at + kTotal.size(), pressure.data() + pressure.size(), us);
    return us * (kMillisecond / 1000);
}

uint64_t waited_for_cpus()
{
    return waited_for_cpus(read_proc_file("/proc/pressure/cpu"));
}

void ProcessTime::open(pid_t pid)
{
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_TASK_CLOCK;
    attr.inherit = 1;
    attr.inherit_thread = 1;
    std::error_code failed;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", failed)) {
        const int id = std::atoi(thread.path().filename().c_str());
        Descriptor event(static_cast<int>(syscall(SYS_perf_event_open, &attr, id, -1, -1, PERF_FLAG_FD_CLOEXEC)));
        if (!event || threads_.size() == kMaxThreads)
            return threads_.clear();
        threads_.push_back(std::move(event));
    }
}

double ProcessTime::read() const
{
    double sum = 0;
    for (const Descriptor& thread : threads_) {
        uint64_t ns = 0;
        if (::read(thread.get(), &ns, sizeof ns) == sizeof ns)
            sum += static_cast<double>(ns);
    }
    return sum;
}

} // namespace dt
