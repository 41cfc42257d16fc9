// Implements the child process that makes timed calls, and its two pipes for requests and answers.
#include "test/bench/caller.hpp"

#include <cstdlib>
#include <numeric>
#include <utility>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "test/bench/loop.hpp"
#include "test/bench/table.hpp"
#include "test/bench/tool.hpp"

namespace dt::bench {

namespace {

// A run was interrupted if it takes longer than kInterrupted times the median. If it takes longer than kPutOff times
// the median, the task was preempted.
constexpr double kInterrupted = 1.5, kPutOff = 30;
constexpr int kMeanwhileMs = 20;

double mean_of(const std::vector<double>& runs)
{
    return std::accumulate(runs.begin(), runs.end(), 0.0) / static_cast<double>(runs.size());
}

double summary(std::vector<double> runs, Caller::Says says)
{
    if (says == Caller::Says::Mean)
        return mean_of(runs);
    const double median = figure_of(runs).value;
    if (says == Caller::Says::Median)
        return median;
    std::erase_if(runs, [&](double run) { return run > kPutOff * median; });
    for (double& run : runs)
        run = run < kInterrupted * median ? 0 : run - median;
    return mean_of(runs) / median;
}

} // namespace

Caller::Caller(Call call, int runs, Says says) : runs_(runs)
{
    if (pipe2(ask_.data(), O_CLOEXEC) != 0 || pipe2(answer_.data(), O_CLOEXEC) != 0 || (pid_ = fork()) < 0)
        std::exit(1);
    if (pid_ == 0)
        serve(call, says);
    close(ask_[0]);
    close(answer_[1]);
}

Caller::~Caller()
{
    close(ask_[1]);
    close(answer_[0]);
    waitpid(pid_, nullptr, 0);
}

double Caller::time(char kind, const std::function<void()>& meanwhile)
{
    double ns = 0;
    if (write(ask_[1], &kind, sizeof kind) != sizeof kind)
        std::exit(1);
    if (pollfd answer{answer_[0], POLLIN, 0}; meanwhile)
        while (poll(&answer, 1, kMeanwhileMs) == 0)
            meanwhile();
    if (read(answer_[0], &ns, sizeof ns) != sizeof ns)
        std::exit(1);
    return ns;
}

void Caller::serve(Call call, Says says)
{
    close(ask_[1]);
    close(answer_[0]);
    use_loop_cpu();
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (char kind = 0; read(ask_[0], &kind, sizeof kind) == sizeof kind;) {
        std::vector<double> runs;
        for (int run = 0; run < runs_; ++run) {
            const long long begin = monotonic_ns();
            for (int i = 0; i < kCalls; ++i)
                call(kind, null);
            runs.push_back(static_cast<double>(monotonic_ns() - begin) / kCalls);
        }
        const double ns = summary(std::move(runs), says);
        if (write(answer_[1], &ns, sizeof ns) != sizeof ns)
            break;
    }
    _exit(0);
}

} // namespace dt::bench
