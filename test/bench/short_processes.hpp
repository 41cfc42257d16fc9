// Starts a thousand short processes per second, and measures the memory of a tracer that sees them.
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace dt::bench {

/// Starts processes evenly on all CPUs until the destructor runs; one CPU cannot start a thousand per second. Skips
/// processes that it cannot start in time.
class ShortProcesses {
public:
    /// `rate`: number of processes to start per second.
    ShortProcesses(const std::string& program, int rate);

    long started() const { return started_; }

private:
    void run(const std::stop_token& stop, const std::string& program, long long step);

    std::atomic<long> started_ = 0;
    std::vector<std::jthread> threads_; // declared last, because the threads use the other members
};

/// Memory in MB: resident memory of the tracer; the part of that memory that is not file-backed; the tracer's maps in
/// the kernel; unshared memory of the sandboxed readers, which are forks of the tracer.
struct TracerMemory {
    double resident = 0, own = 0, kernel = 0, readers = 0;
};
TracerMemory memory_of_tracer(pid_t tracer);

} // namespace dt::bench
