// Reads the counters of firings that the kernel skipped, for example because a program would have interrupted itself.
// Only the kernel counts such firings.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dt {

/// Returns bpf_prog_info.recursion_misses of a program (kernel 5.12). Returns nothing if the kernel does not have this
/// counter, and 0 if it cannot be read.
std::optional<uint64_t> missed_by_program(int descriptor);
/// Returns bpf_link_info's `missed` of a kprobe or kprobe_multi link (kernel 6.7). Returns nothing if the kernel does
/// not have this counter, and 0 for other links.
std::optional<uint64_t> missed_by_link(int descriptor);

/// Number of firings that the kernel has skipped: as counted by the program, and as counted by the link.
struct MissedFirings {
    uint64_t by_program = 0, by_link = 0;
    uint64_t all() const { return by_program + by_link; }
};

/// Returns whether a link of the given kind may miss firings, so that its counter must be read periodically.
bool may_miss(int link);

/// Watches the counters of programs and links. Thread-safe.
class KernelLosses {
public:
    using Counter = std::function<std::optional<uint64_t>(int descriptor)>;

    explicit KernelLosses(Counter program = missed_by_program, Counter link = missed_by_link)
        : program_(std::move(program)), link_(std::move(link))
    {
    }

    /// Starts to watch the counters of `program` and `link`, which belong to `probes`. A descriptor is -1 if there is
    /// no program or no link. The caller still owns the descriptors.
    void watch(std::string probes, int program, int link);

    /// Stops watching all programs and links. Must be called when they have been closed.
    void forget();

    /// Reads a link's counter a last time. Must be called before the link is closed.
    void end_link(int link);

    /// Reads all links' counters a last time. Must be called before the links are closed.
    void end_links();

    /// Reads all counters, and calls `tell` for each program and link with missed firings that were not reported yet.
    /// Costs one system call per program and link.
    void report(const std::function<void(const std::string& probes, const MissedFirings& missed)>& tell);

    /// Return whether the kernel has counters of programs, and of links. The results are known only after the first
    /// reads.
    bool counts_programs() const { return counts_programs_; }
    bool counts_links() const { return counts_links_; }

private:
    struct Watched {
        std::string probes;
        int program = -1, link = -1;
        MissedFirings missed, reported;
    };
    void read(Watched& watched);

    Counter program_, link_;
    std::mutex mutex_;
    std::vector<Watched> watched_;
    std::atomic<bool> counts_programs_ = true, counts_links_ = true;
};

} // namespace dt
