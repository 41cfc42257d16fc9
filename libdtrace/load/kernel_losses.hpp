// Firings that the kernel skipped: a program that would run inside itself, or in a place where none may, is not run,
// and only the kernel counts that.
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

/// bpf_prog_info.recursion_misses of a program (kernel 5.12); nothing where the kernel does not count it, 0 when it
/// cannot be read.
std::optional<uint64_t> missed_by_program(int descriptor);
/// bpf_link_info's `missed` of a kprobe's link, of either kind (kernel 6.7); nothing where the kernel does not count
/// it; else 0.
std::optional<uint64_t> missed_by_link(int descriptor);

/// Firings that did not happen: because a program would have run inside itself, and before it was asked for.
struct MissedFirings {
    uint64_t by_program = 0, by_link = 0;
    uint64_t all() const { return by_program + by_link; }
};

/// Is it a link of a kind that may miss firings, and so is to be asked again and again?
bool may_miss(int link);

/// Any thread may call it.
class KernelLosses {
public:
    using Counter = std::function<std::optional<uint64_t>(int descriptor)>;

    explicit KernelLosses(Counter program = missed_by_program, Counter link = missed_by_link)
        : program_(std::move(program)), link_(std::move(link))
    {
    }

    /// From now on counts what `probes` miss; -1: no program, no link. The descriptors stay the caller's.
    void watch(std::string probes, int program, int link);

    /// Of nothing any more: what was watched is gone, and nothing ran.
    void forget();

    /// Before a link is closed: reads it once more, and never again.
    void end_link(int link);

    /// Before links are closed: reads them once more, and never again.
    void end_links();

    /// Reads all, and calls `tell` for those that missed more than was told before. Cost: one system call for each
    /// program and link.
    void report(const std::function<void(const std::string& probes, const MissedFirings& missed)>& tell);

    /// Whether the kernel counts either, as far as was read so far.
    bool counts_programs() const { return counts_programs_; }
    bool counts_links() const { return counts_links_; }

private:
    struct Watched {
        std::string probes;
        int program = -1, link = -1;
        MissedFirings missed, told;
    };
    void read(Watched& watched);

    Counter program_, link_;
    std::mutex mutex_;
    std::vector<Watched> watched_;
    std::atomic<bool> counts_programs_ = true, counts_links_ = true;
};

} // namespace dt
