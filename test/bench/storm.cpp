// How a call's price is told from the machine's moods: what a call takes without a tracer wanders by several percent
// within seconds, on a virtual machine at least, and that is more of a storm's time than a limit of one percent. So
// runs are compared with the middle one of the seconds around them: while programs are attached for part of the time
// only, that one has met none. Where most runs are traced the middle one is far from what it was before the storm
// began, and that is what is compared with.
//
// A run that takes several times as long was interrupted by somebody who is no part of tracing, or is the tracer: its
// CPU time is counted by itself, and such a run as an ordinary one.
//
// What is ahead of its time sleeps, as programs do: a storm that spins until its next run would have no idle time, and
// could not be told from one that calls as often as it can.
#include "test/bench/storm.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <random>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "test/bench/loop.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr long long kSecond = 1'000'000'000;
constexpr long kValues = 1000;     // of the argument: 0 to 999
constexpr long kWarmRuns = 20'000; // to know what a run takes untraced
constexpr int kRunsPerWait = 2;
constexpr long long kBurst = 300'000;                // ns that it runs ahead before it sleeps
constexpr double kLeastWait = 2000, kWaitRange = 25; // ns; the longest is so many times as long
constexpr double kBucket = 25;                       // ns of a run
constexpr double kInterrupted = 10;                  // times what a run takes untraced
constexpr double kTraced = 1.2;                      // times: moods are less, any tracepoint is more

long long make_run(long first)
{
    const long long begin = monotonic_ns();
    for (int i = 0; i < kStormRun; ++i)
        syscall(SYS_getppid, 0, 0, (first + i) % kValues);
    return monotonic_ns() - begin;
}

long sum_of_run(long first)
{
    long sum = 0;
    for (int i = 0; i < kStormRun; ++i)
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

void note_run(StormCpu& cpu, long first, long long ns)
{
    const double untraced = cpu.untraced * kStormRun;
    const bool interrupted = static_cast<double>(ns) > kInterrupted * untraced;
    const auto counted = interrupted ? static_cast<long long>(untraced) : ns;
    const auto bucket = static_cast<std::size_t>(static_cast<double>(counted) / kBucket);
    ++cpu.runs[std::min(bucket, kRunBuckets - 1)];
    cpu.taken += counted;
    cpu.sum += sum_of_run(first);
    cpu.calls += kStormRun;
}

void sleep_until(long long due)
{
    const timespec time{due / kSecond, due % kSecond};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

void storm_on(long number, double rate, StormState& state)
{
    StormCpu& cpu = state.cpus[number];
    std::minstd_rand random(static_cast<unsigned>(number) + 1);
    use_cpu(number);
    prctl(PR_SET_TIMERSLACK, 1);
    std::vector<long long> warm;
    for (long i = 0; i < kWarmRuns; ++i)
        warm.push_back(make_run(i));
    std::nth_element(warm.begin(), warm.begin() + kWarmRuns / 2, warm.end());
    cpu.untraced = static_cast<double>(warm[kWarmRuns / 2]) / kStormRun;
    ++state.ready;
    while (!state.starts)
        usleep(1000);
    const auto step = static_cast<long long>(kStormRun * static_cast<double>(kSecond) / rate);
    long first = 0;
    for (long long due = monotonic_ns(); !state.ends; due = std::max(due + step, monotonic_ns() - 10 * step)) {
        if (due > monotonic_ns() + kBurst)
            sleep_until(due);
        note_run(cpu, first, make_run(first));
        first += kStormRun;
        if (first / kStormRun % kRunsPerWait == 0)
            wait_between_calls(std::uniform_real_distribution<>(0, 1)(random), state);
    }
}

long storm_cpus()
{
    return std::min(sysconf(_SC_NPROCESSORS_ONLN), kStormCpus);
}

/// Of a CPU, at one moment.
struct CpuLook {
    long calls = 0;
    long long taken = 0;
    std::vector<uint32_t> runs;
};

struct Look {
    long long at = 0, tracer = 0; ///< ns; ns of CPU time
    std::vector<CpuLook> cpus;
};

Look look_at(const StormState& state, pid_t tracer)
{
    Look look;
    clockid_t clock{};
    timespec time{};
    if (tracer > 0 && clock_getcpuclockid(tracer, &clock) == 0 && clock_gettime(clock, &time) == 0)
        look.tracer = time.tv_sec * kSecond + time.tv_nsec;
    look.at = monotonic_ns();
    for (long i = 0; i < storm_cpus(); ++i) {
        const StormCpu& cpu = state.cpus[i];
        look.cpus.push_back({cpu.calls, cpu.taken, {cpu.runs.begin(), cpu.runs.end()}});
    }
    return look;
}

/// Ns of the middle one of the runs between two looks.
double middle_run(const CpuLook& before, const CpuLook& after)
{
    const long runs = (after.calls - before.calls) / kStormRun;
    long below = 0;
    for (std::size_t i = 0; i < kRunBuckets; ++i) {
        const long here = static_cast<long>(after.runs[i]) - static_cast<long>(before.runs[i]);
        if (here > 0 && 2 * (below + here) >= runs) {
            const double part =
                (static_cast<double>(runs) / 2 - static_cast<double>(below)) / static_cast<double>(here);
            return (static_cast<double>(i) + part) * kBucket;
        }
        below += here;
    }
    return 0;
}

/// Ns that the runs between two looks took longer than untraced ones; what those take is told by the looks around.
double lost_on(const StormCpu& cpu, const CpuLook& before, const CpuLook& after, const CpuLook& first,
               const CpuLook& last)
{
    const double warm = cpu.untraced * kStormRun, middle = middle_run(first, last);
    const double untraced = middle == 0 || middle > kTraced * warm ? warm : middle;
    const double runs = static_cast<double>(after.calls - before.calls) / kStormRun;
    return static_cast<double>(after.taken - before.taken) - runs * untraced;
}

} // namespace

long StormState::calls() const
{
    long sum = 0;
    for (const StormCpu& cpu : cpus)
        sum += cpu.calls;
    return sum;
}

long StormState::sum() const
{
    long all = 0;
    for (const StormCpu& cpu : cpus)
        all += cpu.sum;
    return all;
}

Storm::Storm(double rate)
    : state_(new (mmap(nullptr, sizeof(StormState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                 StormState)
{
    const long cpus = storm_cpus();
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

Storm::~Storm()
{
    end();
    munmap(state_, sizeof(StormState));
}

void Storm::end()
{
    state_->ends = true;
    state_->starts = true;
    if (pid_ > 0)
        waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

std::vector<double> Storm::watch(int seconds, int looks, pid_t tracer)
{
    start();
    std::vector<Look> all{look_at(*state_, tracer)};
    for (int i = 1; i <= seconds * looks; ++i) {
        std::this_thread::sleep_until(
            std::chrono::steady_clock::time_point(std::chrono::nanoseconds(all.back().at + kSecond / looks)));
        all.push_back(look_at(*state_, tracer));
    }
    std::vector<double> shares;
    for (std::size_t i = 1; i < all.size(); ++i) { // the second before and the second behind tell what is usual
        const Look &before = all[i - 1], &after = all[i];
        const Look& first = all[i > static_cast<std::size_t>(looks) ? i - static_cast<std::size_t>(looks) : 0];
        const Look& last = all[std::min(i + static_cast<std::size_t>(looks), all.size() - 1)];
        double lost = static_cast<double>(after.tracer - before.tracer);
        for (std::size_t cpu = 0; cpu < after.cpus.size(); ++cpu)
            lost += lost_on(state_->cpus[cpu], before.cpus[cpu], after.cpus[cpu], first.cpus[cpu], last.cpus[cpu]);
        shares.push_back(100 * lost / static_cast<double>(after.at - before.at) / static_cast<double>(storm_cpus()));
    }
    return shares;
}

} // namespace dt::bench
