// BPF programs that are attached during a measurement: a program of kernel.bpf.c, or the programs of a running dtrace.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dt::bench::filters {

/// Run counts and run times that the kernel measures for BPF programs (BPF_ENABLE_STATS) during this object's lifetime.
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

/// Returns the ids of the BPF programs for which a process has descriptors.
std::vector<uint32_t> programs_of(pid_t pid);

class Attached {
public:
    virtual ~Attached() = default;
    std::vector<uint32_t> ids; ///< ids of the attached BPF programs
    std::string problem;       ///< error message if nothing is attached, else empty
    /// Detaches the programs. Returns the number of events that they counted, or -1 if that number is not known.
    virtual long finish() = 0;
    /// Returns whether the script's records go through an mmap ring, which dtrace opens after many records. False for
    /// hand-written programs.
    virtual bool has_lane() const { return false; }
};

/// Attaches a hand-written program. If `lane` is true, its records go through a ring buffer, else through perf buffers.
std::unique_ptr<Attached> attach_by_hand(const std::string& program, bool lane = false);
/// Starts a script, and returns when its probes are active. If `lane` is true, dtrace opens mmap rings for its records
/// after many records; if false, never.
std::unique_ptr<Attached> attach_script(const std::string& dtrace, const std::string& script, bool lane = true);

/// Returns the number of instructions of all programs, as translated by the kernel.
uint32_t instructions(const std::vector<uint32_t>& ids);

} // namespace dt::bench::filters
