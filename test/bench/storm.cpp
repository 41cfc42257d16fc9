// Generates a storm: system calls at a fixed rate, in timed batches. Separates the cost of tracing from variations of
// the machine.
// The time of an untraced call varies by a third within seconds, at least on virtual machines. The limit -x maxcost may
// be one percent, which is far less. So the storm checks every few batches whether the tracer has programs attached. It
// compares the mean times of traced and untraced batches that are at most two seconds apart. If programs are attached
// all the time, it compares with its warm-up of two seconds at the same rate.
//
// A batch that takes ten times as long as usual was interrupted by another task or by the tracer. It counts with the
// usual time, because the tracer's own CPU time is measured separately.
//
// A thread that is ahead of schedule sleeps, as programs do. If it waited in a loop, its CPU would never be idle, and
// the thread would look like a program that calls as often as it can.
#include "test/bench/storm.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <bpf/bpf.h>

#include "test/bench/loop.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

constexpr long long kNsOfSecond = 1'000'000'000;
constexpr long kValues = 1000;     // the argument of the calls is in the range 0 to 999
constexpr long kWarmRuns = 20'000; // in the warm-up, this number of batches measures the time of an untraced call
// Maximum duration of the warm-up. It has the rate of the storm, so that its threads also sleep between batches and
// then find cold caches.
constexpr long long kPacedWarm = 2 * kNsOfSecond;
constexpr int kRunsPerWait = 2;
// a thread sleeps if it is ahead of schedule by at least this number of ns
constexpr long long kBurst = 300'000;
constexpr double kMinWait = 2000, kWaitRange = 25; // shortest wait in ns; the longest wait is this multiple of it
// A batch counts as interrupted if it takes more than this multiple of its untraced time.
constexpr double kInterruptedBatch = 10;
constexpr long kToCompare = 100; // minimum number of untraced batches for a comparison; with fewer, the warm-up is used
constexpr std::size_t kAsksEvery = 8; // number of batches between two checks whether programs are attached
// Without a tracer, one in ten periods of this length in ns counts as traced. Its cost should be 0, so the result shows
// the error of the method.
constexpr long long kPretended = kNsOfSecond / 20;

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

/// Makes two calls with a wait between them. The clock is read just before each call, so the measured interval is the
/// first call plus the wait.
void wait_between_calls(double part, StormState& state)
{
    const auto ns = static_cast<long long>(kMinWait * std::pow(kWaitRange, part));
    const long long begin = monotonic_ns();
    syscall(SYS_getpgid, 0);
    while (monotonic_ns() < begin + ns) {
    }
    const long long end = monotonic_ns();
    syscall(SYS_getsid, 0);
    if (const long place = state.waits++; place < kMaxWaits)
        state.wait_ns[place] = static_cast<float>(end - begin);
}

void note_run(StormCpu& cpu, StormRuns& runs, long long ns)
{
    const double untraced = cpu.untraced * kStormRun;
    const bool interrupted = static_cast<double>(ns) > kInterruptedBatch * untraced;
    runs.taken += interrupted ? static_cast<long long>(untraced) : ns;
    ++runs.count;
}

/// Returns the id of the program that a BPF link attaches, or 0 if the link cannot be read.
uint32_t program_of_link(uint32_t id)
{
    const int link = bpf_link_get_fd_by_id(id);
    bpf_link_info info{};
    unsigned size = sizeof info;
    if (link < 0 || bpf_obj_get_info_by_fd(link, &info, &size) != 0)
        info.prog_id = 0;
    if (link >= 0)
        close(link);
    return info.prog_id;
}

bool is_traced_now(const StormTracer& tracer)
{
    const uint32_t programs = tracer.programs;
    if (programs == 0)
        return monotonic_ns() / kPretended % 10 == 0;
    for (uint32_t id = tracer.first_link; bpf_link_get_next_id(id, &id) == 0;)
        if (std::find(tracer.ids, tracer.ids + programs, program_of_link(id)) != tracer.ids + programs)
            return true;
    return false;
}

/// Counts a group of batches as traced if the tracer had programs attached at the group's start or end, else as
/// untraced.
class Runs {
public:
    explicit Runs(StormState& state, StormCpu& cpu) : state_(state), cpu_(cpu), was_traced_(is_traced_now(state.tracer))
    {
    }

    void add(long first, long long ns)
    {
        cpu_.sum += sum_of_run(first);
        cpu_.calls += kStormRun;
        last_[count_++] = ns;
        if (count_ < kAsksEvery)
            return;
        const bool is_traced = is_traced_now(state_.tracer);
        for (const long long each : last_)
            note_run(cpu_, is_traced || was_traced_ ? cpu_.traced : cpu_.alone, each);
        was_traced_ = is_traced;
        count_ = 0;
    }

private:
    StormState& state_;
    StormCpu& cpu_;
    std::array<long long, kAsksEvery> last_{};
    std::size_t count_ = 0;
    bool was_traced_;
};

void sleep_until(long long due)
{
    const timespec time{due / kNsOfSecond, due % kNsOfSecond};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

/// Keeps the rate of the storm: waits until the next batch of calls is due.
class StormPace {
public:
    explicit StormPace(long long step) : step_(step) {}

    void wait()
    {
        if (due_ > monotonic_ns() + kBurst)
            sleep_until(due_);
        due_ = std::max(due_ + step_, monotonic_ns() - 10 * step_);
    }
    long long elapsed() const { return monotonic_ns() - begin_; }

private:
    const long long step_, begin_ = monotonic_ns();
    long long due_ = begin_;
};

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
    const auto step = static_cast<long long>(kStormRun * static_cast<double>(kNsOfSecond) / rate);
    StormRuns paced;
    for (StormPace pace(step); paced.count < kWarmRuns && pace.elapsed() < kPacedWarm;) {
        pace.wait();
        note_run(cpu, paced, make_run(0));
    }
    cpu.untraced = static_cast<double>(paced.taken) / static_cast<double>(paced.count) / kStormRun;
    ++state.ready;
    while (!state.starts)
        usleep(1000);
    long first = 0;
    Runs runs(state, cpu);
    for (StormPace pace(step); !state.ends;) {
        pace.wait();
        runs.add(first, make_run(first));
        first += kStormRun;
        if (first / kStormRun % kRunsPerWait == 0)
            wait_between_calls(std::uniform_real_distribution<>(0, 1)(random), state);
    }
}

long storm_cpus()
{
    return std::min(sysconf(_SC_NPROCESSORS_ONLN), kStormCpus);
}

struct RunsUntil {
    long count = 0;
    long long taken = 0;
};

/// Totals of one CPU's thread since the start of the storm, at the time of a sample.
struct CpuLook {
    RunsUntil alone, traced;
};

struct Look {
    /// `at`: time of the sample in ns. `tracer`: CPU time of the tracer since its start, in ns
    long long at = 0, tracer = 0;
    std::vector<CpuLook> cpus;
};

Look look_at(const StormState& state, pid_t tracer)
{
    Look look;
    clockid_t clock{};
    timespec time{};
    if (tracer > 0 && clock_getcpuclockid(tracer, &clock) == 0 && clock_gettime(clock, &time) == 0)
        look.tracer = time.tv_sec * kNsOfSecond + time.tv_nsec;
    look.at = monotonic_ns();
    for (long i = 0; i < storm_cpus(); ++i) {
        const StormCpu& cpu = state.cpus[i];
        look.cpus.push_back({{cpu.alone.count, cpu.alone.taken}, {cpu.traced.count, cpu.traced.taken}});
    }
    return look;
}

/// Returns the time in ns that tracing added to the batches between the samples `before` and `after`. It is the time of
/// the traced batches, minus their number times the mean time of untraced batches between the samples `first` and
/// `last`.
double lost_on(const StormCpu& cpu, const CpuLook& before, const CpuLook& after, const CpuLook& first,
               const CpuLook& last)
{
    const long alone = last.alone.count - first.alone.count;
    const double untraced =
        alone < kToCompare ? cpu.untraced * kStormRun
                           : static_cast<double>(last.alone.taken - first.alone.taken) / static_cast<double>(alone);
    return static_cast<double>(after.traced.taken - before.traced.taken) -
           static_cast<double>(after.traced.count - before.traced.count) * untraced;
}

uint32_t newest_link()
{
    uint32_t id = 0;
    while (bpf_link_get_next_id(id, &id) == 0) {
    }
    return id;
}

/// Stores in the shared memory the ids of the BPF programs that the tracer's process holds.
void find_programs(pid_t pid, StormTracer& tracer)
{
    uint32_t found = 0;
    std::error_code none;
    const std::string folder = "/proc/" + std::to_string(pid) + "/fdinfo";
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        std::ifstream file(entry.path());
        for (std::string word; file >> word;)
            if (uint32_t id = 0; word == "prog_id:" && file >> id && found < kMaxPrograms)
                tracer.ids[found++] = id;
    }
    tracer.programs = found;
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
    state_->tracer.first_link = newest_link();
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
    if (tracer > 0)
        find_programs(tracer, state_->tracer);
    start();
    std::vector<Look> all{look_at(*state_, tracer)};
    for (int i = 1; i <= seconds * looks; ++i) {
        std::this_thread::sleep_until(
            std::chrono::steady_clock::time_point(std::chrono::nanoseconds(all.back().at + kNsOfSecond / looks)));
        all.push_back(look_at(*state_, tracer));
    }
    std::vector<double> shares;
    // For each sample, the time of an untraced batch is taken from one second before to one second after it.
    for (std::size_t i = 1; i < all.size(); ++i) {
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
