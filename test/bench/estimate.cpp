// bench estimate: compares the cost predicted by dtrace --estimate with the cost reported by -x cost.
//
//   bench estimate [ROUNDS]   measurements per script (3)
//
// A child process makes the same calls at a fixed rate, so that tracing does not reduce the number of calls. For each
// script, dtrace first estimates the cost for a second, and then runs the script for a second.
#include "test/bench/estimate.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/bench/loop.hpp"
#include "test/bench/table.hpp"

namespace dt::bench {
int (*volatile estimated_callee)(int) = [](int value) { return value + 1; };
}

/// Function that the measured pid probes are attached to.
extern "C" [[gnu::noinline, gnu::used]] int bench_estimated(int value)
{
    const int kept = dt::bench::estimated_callee(value);
    return dt::bench::estimated_callee(kept) + kept;
}

namespace dt::bench {

namespace {

constexpr int kCallsOfBurst = 200;
// Interval between bursts of calls, which gives 40,000 calls of each kind per second.
constexpr long kBurstNs = 5'000'000;

/// In the scripts, PID stands for the child's pid.
constexpr const char* kEstimated[] = {
    "syscall::getppid:entry /pid == PID/ { @ = count(); }",
    "syscall::getppid:entry /pid == PID/ { @[execname] = count(); }",
    "syscall::getppid:entry /pid == PID/ { trace(arg0); }",
    "syscall::getppid:entry /pid == PID/ { printf(\"%s %d\", execname, pid); }",
    "syscall::read:entry /pid == PID/ { self->at = timestamp; }"
    " syscall::read:return /self->at/ { @ = quantize(timestamp - self->at); self->at = 0; }",
    "syscall:::entry { @[probefunc] = count(); }",
    "syscall:::entry /execname == \"nobody\"/ { @[probefunc] = count(); }",
    "syscall::write:entry /pid == PID/ { @[copyinstr(arg1)] = count(); }",
    "rawtp:task::task_rename /pid == PID/ { @[pid, tid] = avg(arg1); }",
    "sdt:task::task_rename /pid == PID/ { @[stack()] = count(); }",
    "syscall::getppid:entry /pid == PID/ { @[ustack()] = count(); }",
    "pidPID:a.out:bench_estimated:entry { @[arg0] = count(); }",
};

/// Child process that calls at a constant rate.
class SteadyCaller {
public:
    SteadyCaller()
    {
        pid_ = fork();
        if (pid_ == 0)
            serve();
    }
    ~SteadyCaller()
    {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    SteadyCaller(const SteadyCaller&) = delete;
    SteadyCaller& operator=(const SteadyCaller&) = delete;
    pid_t pid() const { return pid_; }

private:
    [[noreturn]] static void serve()
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        use_loop_cpu();
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        char byte[8] = "letters";
        for (timespec due{};;) {
            if (due.tv_sec == 0)
                clock_gettime(CLOCK_MONOTONIC, &due);
            due.tv_nsec += kBurstNs;
            due.tv_sec += due.tv_nsec / 1'000'000'000;
            due.tv_nsec %= 1'000'000'000;
            for (int i = 0; i < kCallsOfBurst; ++i) {
                syscall(SYS_getppid);
                if (read(null, byte, 0) < 0 || write(null, byte, sizeof byte) < 0)
                    _exit(1);
                prctl(PR_SET_NAME, "steady");
                bench_estimated(i);
            }
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
        }
    }

    pid_t pid_ = -1;
};

/// Returns the percentage of a CPU in the line that begins with `word`.
std::optional<double> percent_after(const std::string& path, const std::string& word)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(word))
            return std::strtod(line.c_str() + word.size(), nullptr);
    return {};
}

struct Expectation {
    double expected = 0, billed = 0; ///< share of a CPU in percent: as estimated, and as reported by -x cost
};

std::optional<Expectation> measure_expectation(const char* script, const SteadyCaller& caller, const std::string& build)
{
    std::string text = script;
    for (std::size_t at = 0; (at = text.find("PID", at)) != std::string::npos;)
        text.replace(at, 3, std::to_string(caller.pid()));
    const std::string path = std::filesystem::temp_directory_path() / ("estimate." + std::to_string(getpid()));
    std::ofstream(path + ".d") << text;
    std::ofstream(path + "_run.d") << text << " tick-1s { exit(0); }";
    const std::string dtrace = build + "/dtrace ", out = path + ".out", err = path + ".err";
    const std::string both = " >" + out + " 2>" + err;
    std::optional<double> expected, billed;
    if (std::system((dtrace + "--estimate -qs " + path + ".d" + both).c_str()) == 0)
        expected = percent_after(out, "expected: ");
    if (std::system((dtrace + "-x cost -qs " + path + "_run.d" + both).c_str()) == 0)
        billed = percent_after(err, "traced: ");
    for (const char* suffix : {".d", "_run.d", ".out", ".err"})
        std::filesystem::remove(path + suffix);
    return expected && billed ? std::optional(Expectation{*expected, *billed}) : std::nullopt;
}

double middle_of(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

int run_estimate(const std::vector<std::string>& words, const std::string& build)
{
    const int rounds = words.empty() ? 3 : std::clamp(std::atoi(words[0].c_str()), 1, 100);
    std::printf("| script | expected, %% of a CPU | -x cost | expected / cost |\n|---|---|---|---|\n");
    const SteadyCaller caller;
    for (const char* script : kEstimated) {
        std::vector<double> expected, billed, ratios;
        for (int i = 0; i < rounds; ++i)
            if (const auto measured = measure_expectation(script, caller, build); measured && measured->billed > 0) {
                expected.push_back(measured->expected);
                billed.push_back(measured->billed);
                ratios.push_back(measured->expected / measured->billed);
            }
        if (ratios.empty()) {
            std::printf("| `%s` | - | - | - |\n", script);
            continue;
        }
        const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
        std::printf("| `%s` | %s | %s | %.2f (%.2f to %.2f) |\n", script, number(middle_of(expected)).c_str(),
                    number(middle_of(billed)).c_str(), middle_of(ratios), *least, *most);
        std::fflush(stdout);
    }
    return 0;
}

} // namespace dt::bench
