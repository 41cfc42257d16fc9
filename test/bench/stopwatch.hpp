// The programs of measuring.bpf.c, loaded for one process, attached one by one; and what the kernel's text log and its
// programs say of themselves.
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
    /// Loads these programs, for the calls of that process. With the id of a program, they are for the entry and exit
    /// of that. `problem()` says why when they could not be loaded.
    Stopwatch(pid_t traced, const std::vector<std::string>& programs, std::optional<uint32_t> target = {});
    ~Stopwatch();
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    /// False, with a problem, when the kernel refuses.
    bool attach(const std::string& program);
    void detach(const std::string& program);
    const std::string& problem() const { return problem_; }

    struct Taken {
        double ns = 0;
        uint64_t times = 0;
        double mean() const { return ns / static_cast<double>(times); } ///< absent (NAN) of none
    };
    /// Since it was last asked, on all CPUs.
    Taken take();

    /// How many firings the kernel missed at an attached program; nothing where it does not count them (before 6.7).
    std::optional<uint64_t> missed(const std::string& program) const;

private:
    void fail(const std::string& what);
    void choose(const std::vector<std::string>& programs, int target);

    bpf_object* object_ = nullptr;
    std::map<std::string, bpf_link*> links_;
    std::string problem_;
};

/// Where tracefs is mounted.
std::string tracing_folder();

/// What lies between the lines "begin" and "end" that a process's calls left in the kernel's text log.
struct Printed {
    double ns = 0; ///< the mean
    long pairs = 0;
};
Printed printed_by(pid_t pid);

} // namespace dt::bench
