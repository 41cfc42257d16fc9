// Programs on the kernel's events while they are measured: one of kernel.bpf.c, or those of a dtrace that runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dt::bench::filters {

/// What BPF programs ran, by the kernel's own account (BPF_ENABLE_STATS), which it keeps while somebody asks for it.
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

/// The programs that a process holds.
std::vector<uint32_t> programs_of(pid_t pid);

class Attached {
public:
    virtual ~Attached() = default;
    std::vector<uint32_t> ids; ///< of the programs
    std::string problem;       ///< why it is not attached
    /// Ends it; the number of events that its programs counted, -1 when that is not known.
    virtual long finish() = 0;
    /// Of a script: a lane is open.
    virtual bool has_lane() const { return false; }
};

/// `lane`: what is recorded goes through a ring buffer, else through perf buffers.
std::unique_ptr<Attached> attach_by_hand(const std::string& program, bool lane = false);
/// Comes back when the script is active. Lanes are opened once there are records in numbers; never without `lane`.
std::unique_ptr<Attached> attach_script(const std::string& dtrace, const std::string& script, bool lane = true);

/// Instructions of all programs, as the kernel has translated them.
uint32_t instructions(const std::vector<uint32_t>& ids);

} // namespace dt::bench::filters
