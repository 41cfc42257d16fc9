// Stopwatches: programs of measuring.bpf.c for one process, attached one by one. Also reads the kernel's text log and
// program statistics.
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
    /// Loads these programs for the calls of the process `traced`. `target` is the id of a program whose entry and exit
    /// they trace. If that fails, problem() returns the reason.
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
        double mean() const { return ns / static_cast<double>(times); } ///< returns NAN if nothing was measured
    };
    /// Returns the measurements since the last call, on all CPUs.
    Taken take();

    /// Returns the number of firings that the kernel missed for an attached program, or nothing if the kernel does not
    /// count them (before Linux 6.7).
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

/// Times between the lines "begin" and "end" that a process's calls wrote to the kernel's text log.
struct Printed {
    double ns = 0; ///< mean time between the two lines in ns
    long pairs = 0;
};
Printed printed_by(pid_t pid);

} // namespace dt::bench
