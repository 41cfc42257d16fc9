// bench_traces: runs ten traces in one process, each with its own options, output and lifetime.
//
//   bench_traces [SECONDS]     seconds for which all ten traces are idle (20)
//
// A child process makes a known number of system calls after the start of each trace, so the expected count of each
// trace is known. While all ten traces are idle, the process should use almost no CPU time.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libdtrace/loop/event_loop.hpp"
#include "libdtrace/output/output.hpp"

namespace {

using namespace dt;
using Clock = EventLoop::Clock;

constexpr int kCalls = 1000; ///< number of calls that the child makes at each request

/// Child process that makes calls when it gets a request.
class Caller {
public:
    Caller()
    {
        if (pipe(ask_.data()) != 0 || pipe(answer_.data()) != 0 || (pid_ = fork()) < 0)
            std::exit(1);
        if (pid_ != 0)
            return;
        close(ask_[1]);
        for (char byte = 0; read(ask_[0], &byte, 1) == 1;) {
            for (int i = 0; i < kCalls; ++i)
                syscall(SYS_getppid);
            if (write(answer_[1], &byte, 1) != 1)
                break;
        }
        _exit(0);
    }
    ~Caller()
    {
        close(ask_[1]);
        waitpid(pid_, nullptr, 0);
    }

    void call()
    {
        char byte = 0;
        if (write(ask_[1], &byte, 1) != 1 || read(answer_[0], &byte, 1) != 1)
            std::exit(1);
        ++steps_;
    }
    pid_t pid() const { return pid_; }
    int steps() const { return steps_; }

private:
    std::array<int, 2> ask_{}, answer_{};
    pid_t pid_ = -1;
    int steps_ = 0;
};

struct Kind {
    const char *name, *option, *value, *body;
};

constexpr Kind kKinds[] = {
    {"small maps", "aggsize", "256k", "@ = count(); } END { printa(\"%@d\", @); }"},
    {"small buffers", "bufsize", "16k", "@ = count(); } END { printa(\"%@d\", @); }"},
    {"strings of 64", "strsize", "64", "@[execname] = count(); } END { printa(\"%@d\", @); }"},
    {"level 0", "opt", "0", "@ = count(); } END { printa(\"%@d\", @); }"},
    {"a global", "switchrate", "1hz", "n++; } END { printf(\"%d\", n); }"},
};

/// A trace with its own session, options and output.
class BenchTrace {
public:
    BenchTrace(EventLoop& host, Caller& caller, const Kind& kind)
        : kind_(kind), caller_(caller), session_(options_of(kind))
    {
        const std::string text = "syscall::getppid:entry /pid == " + std::to_string(caller.pid()) + "/ { " + kind.body;
        bool good = session_.prepare().ok();
        trace_.emplace(session_, session_.options());
        good = good && trace_->add({Source::Kind::Script, "bench.d", text}, SpecKind::Script, {}) &&
               trace_->compile() && trace_->load() && trace_->attach(output_) &&
               host.start(*trace_, [this](Result<int> status) { is_good_ = status.ok(); });
        if (!good) {
            std::fprintf(stderr, "bench_traces: cannot trace (root?)\n");
            std::exit(1);
        }
        first_ = caller.steps();
    }

    /// Stores the count that the trace should have at its end, and ends the trace.
    void end(EventLoop& host)
    {
        expected_ = static_cast<long>(caller_.steps() - first_) * kCalls;
        host.end(*trace_);
    }
    bool print()
    {
        output_.send();
        std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
        const ssize_t got = pread(file_, text.data(), text.size(), 0);
        const long counted = got > 0 ? std::atol(text.c_str()) : -1;
        const bool exact = is_good_ && counted == expected_;
        std::printf("%-14s counted %6ld of %6ld %s\n", kind_.name, counted, expected_, exact ? "exact" : "WRONG");
        return exact;
    }

private:
    static Options options_of(const Kind& kind)
    {
        Options options;
        options.put("quiet");
        options.put(kind.option, kind.value);
        return options;
    }

    const Kind& kind_;
    Caller& caller_;
    const int file_ = memfd_create("output", MFD_CLOEXEC);
    Output output_{file_};
    Session session_;
    std::optional<Trace> trace_;
    int first_ = 0;
    long expected_ = 0;
    bool is_good_ = false;
};

double cpu_seconds()
{
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

double resident_mb()
{
    std::ifstream file("/proc/self/statm");
    double size = 0, resident = 0;
    file >> size >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

} // namespace

int main(int argc, char** argv)
{
    const int seconds = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 20;
    constexpr int kTraces = 10;
    Caller caller;
    EventLoop host;
    std::vector<std::unique_ptr<BenchTrace>> traces;
    double used = 0, resident = 0;
    int ended = 0;
    const std::function<void()> end_one = [&] {
        caller.call();
        traces[static_cast<std::size_t>(ended)]->end(host);
        if (++ended < kTraces)
            host.at(Clock::now() + std::chrono::milliseconds(100), end_one);
    };
    const std::function<void()> start_one = [&] {
        traces.push_back(std::make_unique<BenchTrace>(host, caller, kKinds[traces.size() % std::size(kKinds)]));
        caller.call();
        if (traces.size() < kTraces)
            return host.at(Clock::now() + std::chrono::milliseconds(100), start_one);
        used = cpu_seconds();
        resident = resident_mb();
        host.at(Clock::now() + std::chrono::seconds(seconds), [&] {
            std::printf("%d traces idle for %d s: %.3f %% of a CPU, resident %.1f MB before and %.1f MB after\n",
                        kTraces, seconds, 100 * (cpu_seconds() - used) / seconds, resident, resident_mb());
            end_one();
        });
    };
    start_one(); // the event loop must have a trace, because it returns immediately when it has none
    host.run();
    bool good = ended == kTraces;
    for (const auto& each : traces)
        good &= each->print();
    return good ? 0 : 1;
}
