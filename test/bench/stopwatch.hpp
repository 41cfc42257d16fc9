// Stopwatches: BPF programs of measuring.bpf.c that time one process's calls, attached one by one. Also reads the times
// in the kernel's text log, and the kernel's statistics of BPF programs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

struct bpf_link;
struct bpf_object;

namespace dt::bench {

class Stopwatch {
public:
    /// Loads the programs with these names; they time calls of the process `traced`. `target` is the id of another
    /// program whose entry and exit they trace. If loading fails, problem() returns the reason.
    Stopwatch(pid_t traced, const std::vector<std::string>& programs, std::optional<uint32_t> target = {});
    ~Stopwatch();
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    /// Attaches a program. Returns false and sets problem() if the kernel refuses.
    bool attach(const std::string& program);
    void detach(const std::string& program);
    const std::string& problem() const { return problem_; }

    struct Taken {
        double ns = 0;
        uint64_t times = 0;
        /// mean interval in ns; NAN if nothing was measured
        double mean() const { return ns / static_cast<double>(times); }
    };
    /// Returns the sum of all intervals measured since the last call, on all CPUs.
    Taken take();

    /// Returns how many firings of an attached program the kernel has skipped, or nothing if the kernel does not count
    /// them (before Linux 6.7).
    std::optional<uint64_t> missed(const std::string& program) const;

private:
    void fail(const std::string& what);
    void choose(const std::vector<std::string>& programs, int target);

    bpf_object* object_ = nullptr;
    std::map<std::string, bpf_link*> links_;
    std::string problem_;
};

/// Returns the mount point of tracefs.
std::string tracing_folder();

/// Mean time between the lines "begin" and "end" that a process's calls wrote to the kernel's text log.
struct Printed {
    double ns = 0; ///< mean time between the two lines in ns
    long pairs = 0;
};
Printed printed_by(pid_t pid);

} // namespace dt::bench
