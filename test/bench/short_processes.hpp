// A thousand short processes a second, and what a tracer that meets them holds.
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace dt::bench {

/// Starts processes on every CPU, evenly, until it is destroyed: one CPU alone does not start a thousand a second. What
/// cannot be started in time is left out.
class ShortProcesses {
public:
    /// `rate`: processes a second.
    ShortProcesses(const std::string& program, int rate);

    long started() const { return started_; }

private:
    void run(const std::stop_token& stop, const std::string& program, long long step);

    std::atomic<long> started_ = 0;
    std::vector<std::jthread> threads_; // last: they use what is above
};

/// MB: of the tracer; of that what no file has; of its maps in the kernel; of processes that read files for it, which
/// are forks of it, what they do not share.
struct TracerMemory {
    double resident = 0, own = 0, kernel = 0, readers = 0;
};
TracerMemory memory_of_tracer(pid_t tracer);

} // namespace dt::bench
