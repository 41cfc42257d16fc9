// bench soak: runs a service of 24 scripts under mixed load, and checks whether its memory, speed and results are the
// same after an hour as after a minute.
//
//   bench soak [SECONDS [PROCESSES]]   duration (120), short processes per second (1000)
//     --csv FILE       a line per second
//     --svg FILE       a plot of its memory
//     --scripts N      number of scripts (24), for slow machines
//     --module FILE    a module (.ko) to load and unload; in a guest
//     --cpu N          a CPU to switch off and on; in a guest
//
// The 24 scripts are tools of this repository. The load uses files, memory, threads, connections and signals, and
// starts short processes. Meanwhile the bench disturbs one script after the other: it changes and reloads the script,
// ends and restarts it, follows it with a client that is then killed, and rotates its output. At the end, each firing
// must be counted as filtered, recorded or lost. An idle phase at the start shows the service's own cost.
#include "test/bench/soak.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include <unistd.h>

#include "test/bench/plot.hpp"
#include "test/bench/short_processes.hpp"
#include "test/bench/soak_load.hpp"
#include "test/bench/soak_service.hpp"

namespace dt::bench {

namespace {

using Clock = std::chrono::steady_clock;

// maximum number of characters shown from the end of the service's output
constexpr std::size_t kMaxLastWords = 600;
constexpr int kWarmUp = 300;                    // seconds of warm-up, at most a third of the duration
constexpr double kMaxMb = 20, kMaxGrowth = 1;   // accepted maximum of resident memory, and of its growth, in MB
constexpr double kMaxIdle = 0.001;              // maximum CPU time of the idle service, as a fraction of a CPU
constexpr int kMinIdle = 30, kMaxIdleTime = 60; // minimum and maximum seconds of measuring the idle service
constexpr auto kSettling = std::chrono::seconds(15);
constexpr int kPeriod = 10; // each kind of disturbance occurs once in this number of seconds

struct SoakWanted {
    int seconds = 120, rate = 1000, cpu = -1;
    std::size_t scripts = SoakService::kScripts;
    std::string csv, svg, module;
    bool is_good = true;
};

struct SoakSecond : TracerMemory {
    double cpu_s = 0; ///< CPU time of the service since its start, in seconds
    long processes = 0;
};

/// Resources that the service uses per second while it has nothing to do.
struct SoakIdle {
    ProcessTimes times; ///< CPU time as a fraction of a CPU, measured in clock ticks; includes ended children
    double ran = 0;     ///< CPU time as a fraction of a CPU, without child processes
    double wakeups = 0;
    double all() const { return ran + times.children_s; }
};

struct SoakResult {
    std::vector<SoakSecond> seconds;
    SoakIdle idle;
    std::vector<double> without_ms;
    int not_replaced = 0, attached = 0, rotated = 0, followed = 0, modules = 0, cpus = 0;
};

SoakWanted read_soak(const std::vector<std::string>& words)
{
    SoakWanted wanted;
    int numbers = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool has_value = i + 1 < words.size();
        const int number = std::atoi(words[i].c_str());
        if (words[i] == "--csv" && has_value)
            wanted.csv = words[++i];
        else if (words[i] == "--svg" && has_value)
            wanted.svg = words[++i];
        else if (words[i] == "--module" && has_value)
            wanted.module = words[++i];
        else if (words[i] == "--scripts" && has_value)
            wanted.scripts = std::strtoul(words[++i].c_str(), nullptr, 10);
        else if (words[i] == "--cpu" && has_value)
            wanted.cpu = std::atoi(words[++i].c_str());
        else if (number > 0 && numbers < 2)
            (numbers++ == 0 ? wanted.seconds : wanted.rate) = number;
        else
            wanted.is_good = false;
    }
    const bool is_guest = std::getenv("DTRACE_GUEST") != nullptr;
    wanted.is_good &= is_guest || (wanted.module.empty() && wanted.cpu < 0);
    return wanted;
}

/// Disturbs the service once. `second` selects the kind of disturbance by its position in the period of kPeriod
/// seconds; each period disturbs another script.
void disturb(SoakService& service, int second, const SoakWanted& wanted, SoakResult& result)
{
    const auto script = static_cast<std::size_t>(second / kPeriod) % service.scripts().size();
    switch (second % kPeriod) {
    case 1:
        if (const std::optional<double> without = service.reload(script))
            result.without_ms.push_back(*without);
        else
            ++result.not_replaced;
        break;
    case 3:
        service.follow(script);
        ++result.followed;
        break;
    case 5:
        service.end_and_start((script + service.scripts().size() / 2) % service.scripts().size());
        ++result.attached;
        break;
    case 7:
        service.rotate();
        ++result.rotated;
        break;
    default:
        break;
    }
    // Loading a module and switching a CPU off occur every four seconds instead of once in a period, because a test in
    // a slow guest has few periods.
    if (second % 4 == 2) {
        if (!wanted.module.empty() && load_and_unload(wanted.module))
            ++result.modules;
        if (wanted.cpu >= 0 && switch_off_and_on(wanted.cpu))
            ++result.cpus;
    }
}

/// Measures the CPU time of the idle service. Includes all its threads and sandboxed readers that have ended. Waits
/// first, so that start-up work is not included.
SoakIdle idle_share(const SoakService& service, int seconds)
{
    std::this_thread::sleep_for(kSettling);
    const ProcessTimes before = times_of(service.pid());
    const double ran = seconds_run(service.pid());
    const auto switches = static_cast<double>(voluntary_switches(service.pid()));
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    const ProcessTimes after = times_of(service.pid());
    return {{(after.user_s - before.user_s) / seconds, (after.system_s - before.system_s) / seconds,
             (after.children_s - before.children_s) / seconds},
            (seconds_run(service.pid()) - ran) / seconds,
            (static_cast<double>(voluntary_switches(service.pid())) - switches) / seconds};
}

SoakResult run(SoakService& service, const std::string& build, const SoakWanted& wanted)
{
    SoakResult result;
    std::fprintf(stderr, "bench soak: %zu scripts\n", service.scripts().size());
    result.idle = idle_share(service, std::clamp(wanted.seconds / 6, kMinIdle, kMaxIdleTime));
    const MixedLoad load(service.folder() + "/load");
    const ShortProcesses processes(build + "/test/progs/brief", wanted.rate);
    const auto began = Clock::now(), end = began + std::chrono::seconds(wanted.seconds);
    // `second` counts rounds of this loop; on a slow machine a round takes longer than a second
    for (int second = 1; Clock::now() < end && service.running(); ++second) {
        disturb(service, second, wanted, result);
        std::this_thread::sleep_until(began + std::chrono::seconds(second));
        result.seconds.push_back({memory_of_tracer(service.pid()), cpu_seconds(service.pid()), processes.started()});
    }
    return result;
}

bool print_scripts(const std::vector<SoakScript>& scripts)
{
    std::size_t adding_up = 0;
    std::printf("\n%-16s %14s %14s %14s %10s %6s\n", "SCRIPT", "FIRED", "FILTERED", "RECORDED", "LOST", "LIVES");
    for (const SoakScript& script : scripts) {
        const SoakFirings& firings = script.firings;
        adding_up += firings.adds_up() ? 1 : 0;
        std::printf("%-16s %14llu %14llu %14llu %10llu %6d %s%s\n", script.name.c_str(),
                    static_cast<unsigned long long>(firings.fired), static_cast<unsigned long long>(firings.filtered),
                    static_cast<unsigned long long>(firings.recorded), static_cast<unsigned long long>(firings.lost),
                    script.lives, firings.adds_up() ? "" : "DOES NOT ADD UP ", script.error.c_str());
    }
    std::printf("fired = filtered + recorded + lost: %zu of %zu scripts\n", adding_up, scripts.size());
    return adding_up == scripts.size();
}

std::string yes_or_no(bool is_so)
{
    return is_so ? "yes" : "NO";
}

/// Returns the median memory of each minute. A maximum would show the additional memory that a reload takes for a
/// second or two.
std::vector<double> medians_of_minutes(const std::vector<SoakSecond>& seconds)
{
    constexpr std::ptrdiff_t kMinute = 60;
    std::vector<double> medians;
    for (auto begin = seconds.begin(); seconds.end() - begin >= kMinute; begin += kMinute) {
        std::vector<double> minute;
        for (auto each = begin; each != begin + kMinute; ++each)
            minute.push_back(each->resident);
        std::nth_element(minute.begin(), minute.begin() + kMinute / 2, minute.end());
        medians.push_back(minute[kMinute / 2]);
    }
    return medians;
}

void print_minutes(const std::vector<SoakSecond>& seconds)
{
    const std::vector<double> medians = medians_of_minutes(seconds);
    if (medians.empty())
        return;
    const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
    std::printf("  median of a minute: first %.1f, last %.1f, least %.1f, most %.1f; flat within %.0f: %s\n",
                medians.front(), medians.back(), *least, *most, kMaxGrowth,
                yes_or_no(*most - *least <= kMaxGrowth).c_str());
}

void print_memory(const std::vector<SoakSecond>& seconds)
{
    const auto warm = static_cast<std::ptrdiff_t>(std::min<std::size_t>(kWarmUp, seconds.size() / 3));
    const std::vector<SoakSecond> rest(seconds.begin() + warm, seconds.end());
    if (rest.size() < 2)
        return;
    const auto less = [](const SoakSecond& a, const SoakSecond& b) { return a.resident < b.resident; };
    const double least = std::min_element(rest.begin(), rest.end(), less)->resident;
    const double most = std::max_element(rest.begin(), rest.end(), less)->resident;
    const auto over = std::count_if(rest.begin(), rest.end(), [](const auto& each) { return each.resident > kMaxMb; });
    std::printf("resident after %td s, MB: first %.1f, last %.1f, least %.1f, most %.1f\n", warm, rest.front().resident,
                rest.back().resident, least, most);
    std::printf("  at most %.0f: %s (%td of %zu seconds beyond); flat within %.0f: %s (most - least: %.1f)\n", kMaxMb,
                yes_or_no(over == 0).c_str(), over, rest.size(), kMaxGrowth,
                yes_or_no(most - least <= kMaxGrowth).c_str(), most - least);
    print_minutes(rest);
    for (const SoakSecond* each : {&rest.front(), &rest.back()})
        std::printf(
            "  %s: of its own %.1f, of files and shared %.1f; the kernel's maps, which are nobody's, take %.1f\n",
            each == &rest.front() ? "first" : "last", each->own, each->resident - each->own, each->kernel);
    std::printf("  readers of files and compiler beside it, forks of it: %.1f at most that they do not share with it\n",
                std::max_element(rest.begin(), rest.end(), [](const SoakSecond& a, const SoakSecond& b) {
                    return a.readers < b.readers;
                })->readers);
}

void print_course(const SoakResult& result)
{
    const std::vector<SoakSecond>& seconds = result.seconds;
    const SoakIdle& idle = result.idle;
    const double most =
        result.without_ms.empty() ? 0 : *std::max_element(result.without_ms.begin(), result.without_ms.end());
    std::printf("%zu s, %ld processes; the service took %.3f of a CPU\n", seconds.size(), seconds.back().processes,
                (seconds.back().cpu_s - seconds.front().cpu_s) / static_cast<double>(seconds.size()));
    std::printf("%zu reloads, without tracing for %.1f ms at most, and %d that replaced nothing; %d times ended and "
                "started again; %d rotations; %d followers killed\n",
                result.without_ms.size(), most, result.not_replaced, result.attached, result.rotated, result.followed);
    if (std::getenv("DTRACE_GUEST"))
        std::printf("a module loaded and unloaded %d times, a CPU switched off and on %d times\n", result.modules,
                    result.cpus);
    std::printf(
        "idle share %.4f of a CPU (at most %.3f: %s): %.4f of the service, %.4f of readers of files; by ticks of "
        "the clock %.4f of its own and %.4f of the kernel's for it; %.1f wakeups a second\n",
        idle.all(), kMaxIdle, yes_or_no(idle.all() <= kMaxIdle).c_str(), idle.ran, idle.times.children_s,
        idle.times.user_s, idle.times.system_s, idle.wakeups);
}

void write_soak_csv(const std::string& path, const std::vector<SoakSecond>& seconds)
{
    std::ofstream file(path);
    file << "second,processes,cpu_s,resident_mb,anonymous_mb,maps_mb,readers_mb\n";
    for (std::size_t i = 0; i < seconds.size(); ++i)
        file << i + 1 << ',' << seconds[i].processes << ',' << seconds[i].cpu_s << ',' << seconds[i].resident << ','
             << seconds[i].own << ',' << seconds[i].kernel << ',' << seconds[i].readers << '\n';
}

Plot plot_of_soak(const std::vector<SoakSecond>& seconds)
{
    PlotLine resident{"resident", {}}, own{"of no file", {}};
    for (const SoakSecond& second : seconds) {
        resident.values.push_back(second.resident);
        own.values.push_back(second.own);
    }
    return {"memory of a service of 24 scripts while " + std::to_string(seconds.back().processes) +
                " processes come and go",
            "MB",
            static_cast<double>(seconds.size()),
            {resident, own}};
}

} // namespace

int run_soak(const std::vector<std::string>& words, const std::string& build)
{
    const SoakWanted wanted = read_soak(words);
    if (!wanted.is_good || geteuid() != 0) {
        std::fprintf(
            stderr,
            "usage: bench soak [SECONDS [PROCESSES]] [--csv FILE] [--svg FILE] [--scripts N], as root; in a guest "
            "[--module FILE] [--cpu N]\n");
        return 1;
    }
    SoakService service(build, wanted.scripts);
    if (service.scripts().empty()) {
        std::fprintf(stderr, "bench soak: the service cannot be asked\n");
        return 1;
    }
    const SoakResult result = run(service, build, wanted);
    const Usage usage = service.end();
    if (result.seconds.empty())
        return 1;
    print_course(result);
    print_memory(result.seconds);
    const bool adds_up = print_scripts(service.scripts());
    std::printf("\nstatus %d; it said last:\n%s\n", usage.status,
                usage.err.substr(usage.err.size() - std::min(usage.err.size(), kMaxLastWords)).c_str());
    if (!wanted.csv.empty())
        write_soak_csv(wanted.csv, result.seconds);
    if (!wanted.svg.empty())
        write_svg(wanted.svg, plot_of_soak(result.seconds));
    return adds_up ? 0 : 1;
}

} // namespace dt::bench
