// bench limit: storms under -x maxcost: what they lose to tracing, and how well their totals are known.
//
//   bench limit [SECONDS]   how long each storm lasts (20)
//     --svg FILE            a plot of the share over time
//
// A thread on each CPU makes so many calls, in runs whose time it takes: what a run takes longer than without a tracer
// is what tracing costs, whoever takes it: trap, program, or the tracer itself on that CPU. The storm knows how many
// calls it made and what their arguments add up to. Now and then it waits between two other calls, for as long as
// chance says, and knows how long: a script with both ends of the wait must find the same quantiles.
#include "test/bench/limit.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "test/bench/loop.hpp"
#include "test/bench/plot.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr int kRun = 100; // calls
constexpr long long kSecond = 1'000'000'000;
constexpr long kValues = 1000;     // of the argument: 0 to 999
constexpr int kLooks = 10;         // a second
constexpr double kSettled = 2;     // seconds until the limit is to be kept
constexpr long kWarmRuns = 20'000; // to know what a run takes untraced
constexpr int kMostReadyMs = 20'000;
constexpr int kRunsPerWait = 2;
constexpr double kLeastWait = 2000, kWaitRange = 25; // ns; the longest is so many times as long
constexpr long kMostWaits = 1 << 20;
constexpr double kWaitStep = 100; // ns of a bucket
constexpr double kQuantiles[] = {0.5, 0.9, 0.99};
constexpr const char* kNoTracer = "no tracer"; // what the method itself says of nothing

/// Shared by the storm and who looks at it.
struct StormState {
    std::atomic<bool> starts = false, ends = false;
    std::atomic<long> calls = 0, sum = 0;
    std::atomic<long long> taken = 0; ///< ns, of all runs
    std::atomic<double> untraced{0};  ///< ns a call
    std::atomic<int> ready = 0;       ///< threads
    std::atomic<long> waits = 0;
    float wait_ns[kMostWaits] = {};
};

long long make_run(long first)
{
    const long long begin = monotonic_ns();
    for (int i = 0; i < kRun; ++i)
        syscall(SYS_getppid, 0, 0, (first + i) % kValues);
    return monotonic_ns() - begin;
}

long sum_of_run(long first)
{
    long sum = 0;
    for (int i = 0; i < kRun; ++i)
        sum += (first + i) % kValues;
    return sum;
}

/// The clock is read before each of the two calls, so what they cost themselves is in neither.
void wait_between_calls(double part, StormState& state)
{
    const auto ns = static_cast<long long>(kLeastWait * std::pow(kWaitRange, part));
    const long long begin = monotonic_ns();
    syscall(SYS_getpgid, 0);
    while (monotonic_ns() < begin + ns) {
    }
    const long long end = monotonic_ns();
    syscall(SYS_getsid, 0);
    if (const long place = state.waits++; place < kMostWaits)
        state.wait_ns[place] = static_cast<float>(end - begin);
}

void storm_on(long cpu, double rate, StormState& state)
{
    std::minstd_rand random(static_cast<unsigned>(cpu) + 1);
    use_cpu(cpu);
    std::vector<long long> warm;
    for (long i = 0; i < kWarmRuns; ++i)
        warm.push_back(make_run(i));
    std::nth_element(warm.begin(), warm.begin() + kWarmRuns / 2, warm.end());
    state.untraced = static_cast<double>(warm[kWarmRuns / 2]) / kRun;
    ++state.ready;
    while (!state.starts)
        usleep(1000);
    const auto step = static_cast<long long>(kRun * static_cast<double>(kSecond) / rate);
    long first = 0;
    for (long long due = monotonic_ns(); !state.ends; due = std::max(due + step, monotonic_ns() - 10 * step)) {
        while (monotonic_ns() < due) {
        }
        state.taken += make_run(first);
        state.sum += sum_of_run(first);
        state.calls += kRun;
        first += kRun;
        if (first / kRun % kRunsPerWait == 0)
            wait_between_calls(std::uniform_real_distribution<>(0, 1)(random), state);
    }
}

/// A process with a thread on each CPU.
class Storm {
public:
    explicit Storm(double rate)
        : state_(new (mmap(nullptr, sizeof(StormState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                     StormState)
    {
        const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
        pid_ = fork();
        if (pid_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            std::vector<std::thread> threads;
            for (long cpu = 0; cpu < cpus; ++cpu)
                threads.emplace_back([&, cpu] { storm_on(cpu, rate / static_cast<double>(cpus), *state_); });
            for (std::thread& thread : threads)
                thread.join();
            _exit(0);
        }
        while (pid_ > 0 && state_->ready < cpus)
            usleep(1000);
    }
    ~Storm()
    {
        end();
        munmap(state_, sizeof(StormState));
    }
    Storm(const Storm&) = delete;
    Storm& operator=(const Storm&) = delete;

    pid_t pid() const { return pid_; }
    void start() { state_->starts = true; }
    void end()
    {
        state_->ends = true;
        state_->starts = true;
        if (pid_ > 0)
            waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }
    const StormState& state() const { return *state_; }

private:
    StormState* state_;
    pid_t pid_ = -1;
};

struct LimitResult {
    double made = 0;                      ///< calls a second
    std::vector<double> shares;           ///< percent of the machine, at each look
    std::map<std::string, double> errors; ///< of aggregations, in percent
    std::vector<double> waits;            ///< of kQuantiles, likewise
};

std::vector<double> quantiles_of_storm(const StormState& state)
{
    std::vector<float> all(state.wait_ns, state.wait_ns + std::min<long>(state.waits, kMostWaits));
    std::sort(all.begin(), all.end());
    std::vector<double> found;
    for (const double part : kQuantiles)
        found.push_back(all.empty() ? 0 : all[static_cast<std::size_t>(part * static_cast<double>(all.size() - 1))]);
    return found;
}

/// `buckets`: the least value of each, and its count, in order.
std::vector<double> quantiles_of_buckets(const nlohmann::json& buckets)
{
    double all = 0;
    for (const auto& bucket : buckets)
        all += bucket[1].get<double>();
    std::vector<double> found;
    for (const double part : kQuantiles) {
        double before = 0;
        for (const auto& bucket : buckets) {
            const double count = bucket[1].get<double>();
            if (before + count >= part * all) {
                found.push_back(bucket[0].get<double>() + kWaitStep * (part * all - before) / count);
                break;
            }
            before += count;
        }
    }
    return found;
}

bool is_ready(const Tool& tool, const std::string& path)
{
    for (int ms = 0; ms < kMostReadyMs && tool.running(); ms += 10) {
        std::ifstream file(path);
        std::stringstream text;
        text << file.rdbuf();
        if (text.str().find("ready") != std::string::npos)
            return true;
        usleep(10'000);
    }
    return false;
}

std::vector<double> watch_storm(Storm& storm, int seconds)
{
    const StormState& state = storm.state();
    const double cpus = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
    std::vector<double> shares;
    storm.start();
    long calls = 0;
    long long taken = 0, since = monotonic_ns();
    for (int i = 0; i < seconds * kLooks; ++i) {
        std::this_thread::sleep_until(
            std::chrono::steady_clock::time_point(std::chrono::nanoseconds(since + kSecond / kLooks)));
        const long long now = monotonic_ns(), all_taken = state.taken;
        const long all_calls = state.calls;
        const double lost =
            static_cast<double>(all_taken - taken) - static_cast<double>(all_calls - calls) * state.untraced;
        shares.push_back(100 * lost / static_cast<double>(now - since) / cpus);
        calls = all_calls;
        taken = all_taken;
        since = now;
    }
    return shares;
}

LimitResult storm_under(const std::string& limit, double rate, int seconds, const std::string& build)
{
    const std::string path = std::filesystem::temp_directory_path() / ("limit." + std::to_string(getpid()));
    LimitResult result;
    Storm storm(rate);
    if (limit == kNoTracer) {
        result.shares = watch_storm(storm, seconds);
        result.made = static_cast<double>(storm.state().calls) / seconds;
        return result;
    }
    const std::string script =
        "BEGIN { printf(\"ready\"); } syscall::getppid:entry /pid == " + std::to_string(storm.pid()) +
        "/ { @calls = count(); @sum = sum(arg2); } syscall::getpgid:entry /pid == " + std::to_string(storm.pid()) +
        "/ { self->at = timestamp; } syscall::getsid:entry /self->at/ { @waits = lquantize(timestamp - self->at, 0, "
        "100000, 100); "
        "self->at = 0; }";
    std::vector<std::string> command{build + "/dtrace", "-x", "format=jsonl", "-qn", script};
    if (!limit.empty())
        command.insert(command.begin() + 1, {"-x", "maxcost=" + limit});
    Tool tracer(command, path);
    if (is_ready(tracer, path)) {
        result.shares = watch_storm(storm, seconds);
        storm.end();
        tracer.interrupt();
        const std::map<std::string, double> truth{{"calls", static_cast<double>(storm.state().calls)},
                                                  {"sum", static_cast<double>(storm.state().sum)}};
        result.made = truth.at("calls") / seconds;
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);) {
            const auto row = nlohmann::json::parse(line, nullptr, false);
            if (row.is_discarded() || row.value("type", "") != "agg")
                continue;
            if (row.contains("buckets")) {
                const std::vector<double> found = quantiles_of_buckets(row["buckets"]),
                                          made = quantiles_of_storm(storm.state());
                for (std::size_t i = 0; i < found.size(); ++i)
                    result.waits.push_back(100 * (found[i] / made[i] - 1));
            } else
                result.errors[row["name"]] = 100 * (row["value"].get<double>() / truth.at(row["name"]) - 1);
        }
    }
    std::filesystem::remove(path);
    return result;
}

double mean(const double* begin, const double* end)
{
    double sum = 0;
    for (const double* each = begin; each != end; ++each)
        sum += *each;
    return end > begin ? sum / static_cast<double>(end - begin) : 0;
}

void print_row(double rate, const std::string& limit, const LimitResult& result)
{
    const std::vector<double>& shares = result.shares;
    const auto settled = static_cast<std::size_t>(kSettled * kLooks);
    if (shares.size() < 2 * settled) {
        std::printf("| %.0f | the tracer did not start |\n", rate);
        return;
    }
    double most = -HUGE_VAL;
    for (std::size_t i = settled; i + settled <= shares.size(); ++i)
        most = std::max(most, mean(&shares[i], &shares[i] + settled));
    std::printf("| %.0f M | %.1f M | %s | %.2f %% | %.2f %% |", rate / 1e6, result.made / 1e6,
                limit.empty() ? "none" : limit.c_str(), mean(&shares[settled], shares.data() + shares.size()), most);
    for (const char* name : {"calls", "sum"})
        if (const auto error = result.errors.find(name); error != result.errors.end())
            std::printf(" %+.2f %% |", error->second);
        else
            std::printf(" |");
    for (std::size_t i = 0; i < std::size(kQuantiles); ++i)
        if (i < result.waits.size())
            std::printf(" %+.1f %% |", result.waits[i]);
        else
            std::printf(" |");
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int run_limit(const std::vector<std::string>& words, const std::string& build)
{
    int seconds = 20;
    std::string svg;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == "--svg" && i + 1 < words.size())
            svg = words[++i];
        else
            seconds = std::clamp(std::atoi(words[i].c_str()), 4, 3600);
    Plot plot{"percent of the machine that tracing takes", "%", static_cast<double>(seconds), {}};
    std::printf(
        "| calls a second, asked | made | limit | taken after %.0f s | most in any 2 s | count() | sum() | waits: "
        "median | 90 %% | 99 %% |\n|---|---|---|---|---|---|---|---|---|---|\n",
        kSettled);
    for (const double rate : {1e6, 5e6, 10e6}) {
        double zero = 0; // what the storm takes longer than in its first moments, without a tracer
        for (const std::string limit : {kNoTracer, "", "1%", "5%"}) {
            LimitResult result = storm_under(limit, rate, seconds, build);
            if (limit == kNoTracer)
                zero = mean(result.shares.data(), result.shares.data() + result.shares.size());
            for (double& share : result.shares)
                share -= zero;
            print_row(rate, limit, result);
            if (!limit.empty() && limit != kNoTracer)
                plot.lines.push_back({std::to_string(static_cast<int>(rate / 1e6)) + " M/s, " + limit, result.shares});
        }
    }
    if (!svg.empty())
        write_svg(svg, plot);
    return 0;
}

} // namespace dt::bench
