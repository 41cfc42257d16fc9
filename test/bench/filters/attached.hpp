// Attached programs during a measurement: a program of kernel.bpf.c, or those of a running dtrace.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dt::bench::filters {

/// Run counts and times of BPF programs as measured by the kernel (BPF_ENABLE_STATS) during this object's lifetime.
class ProgramStatistics {
public:
    struct Sum {
        double ns = 0;
        uint64_t runs = 0;
    };

    explicit ProgramStatistics(const std::vector<uint32_t>& ids);
    ~ProgramStatistics();
    ProgramStatistics(const ProgramStatistics&) = delete;
    ProgramStatistics& operator=(const ProgramStatistics&) = delete;

    Sum read() const;

private:
    int enabled_;
    std::vector<int> programs_;
};

/// Returns the ids of the programs that a process holds.
std::vector<uint32_t> programs_of(pid_t pid);

class Attached {
public:
    virtual ~Attached() = default;
    std::vector<uint32_t> ids; ///< program ids
    std::string problem;       ///< reason why it is not attached
    /// Detaches; returns the number of events that its programs counted, or -1 if that is not known.
    virtual long finish() = 0;
    /// For a script: returns whether an mmap ring is open.
    virtual bool has_lane() const { return false; }
};

/// `lane`: records go through a ring buffer instead of perf buffers.
std::unique_ptr<Attached> attach_by_hand(const std::string& program, bool lane = false);
/// Returns when the script is active. Its mmap rings open after many records; never without `lane`.
std::unique_ptr<Attached> attach_script(const std::string& dtrace, const std::string& script, bool lane = true);

/// Returns the number of instructions of all programs, as translated by the kernel.
uint32_t instructions(const std::vector<uint32_t>& ids);

} // namespace dt::bench::filters
