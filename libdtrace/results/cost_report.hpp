// The cost report of a trace (-x cost): CPU time per clause and probe, memory, and the possible error of these numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Upper limits of the memory that a trace uses, one for each purpose.

namespace dt::output {

struct MemoryPart {
    std::string name;
    bool in_kernel = false; ///< whether this part is kernel memory; false: memory of the tracer
    uint64_t most = 0;      ///< upper limit of this part in bytes
    std::string bound;      ///< name of the option or rule that limits the size
    /// whether `most` is the measured memory of the process after compilation, which all its traces share
    bool is_measured = false;
};

struct MemorySum {
    uint64_t kernel = 0, tracer = 0;
    uint64_t all() const { return kernel + tracer; }
};
MemorySum sum(std::span<const MemoryPart> parts);

/// Returns a human-readable table of the parts, largest first.
std::string memory_table(std::vector<MemoryPart> parts);

/// Returns the few largest parts, for example "buffers of records 8,396,800 (bufsize), …".
std::string largest_parts(std::vector<MemoryPart> parts);

/// Time that a firing spends in a program.
struct Times {
    double mean = 0, p99 = 0, most = 0; ///< mean, 99th percentile and maximum of the time of a firing, in ns
    double error = 0;                   ///< standard deviation of `mean`, as a fraction of `mean`
    uint64_t timed = 0;                 ///< number of firings that were timed
};

/// Size of a clause in the kernel: number of instructions, bytes of stack, and bytes of the maps that the clause uses.
struct CodeSize {
    uint64_t instructions = 0, stack = 0, maps = 0;
};

/// Hook overhead: the time in ns that a firing costs outside of the BPF program.
struct HookOverhead {
    double ns = 0;
    double spread = 0; ///< half of the difference between the lowest and the highest measurement, in ns
    double call = 0;   ///< time in ns that an untraced system call took when the overhead was measured; 0 if unknown
    double speed = 0;  ///< result of cpu_speed_here() in ns when the overhead was measured; 0 if unknown
    /// Like `ns` and `speed`, but measured while the core's sibling thread is busy. 0 if unknown, or if equal to the
    /// values with an idle sibling thread.
    double busy = 0, busy_speed = 0;

    /// Returns the hook overhead at another CPU speed. `now` is the result of cpu_speed_here() in ns at that speed.
    HookOverhead at(double now) const;
};

/// Cost of a clause or of a probe.
struct Cost {
    uint32_t id = 0;
    std::string name;
    uint64_t fired = 0;
    Times program;                       ///< run time of the program itself
    std::optional<HookOverhead> outside; ///< hook overhead of a probe, if known
    std::vector<uint32_t> statements;    ///< for a probe: statement ids of the clauses that run when the probe fires
    uint64_t sampled_out = 0;            ///< firings skipped by sampling (maxcost); no program ran in them
    std::optional<CodeSize> size;        ///< for a clause: its code size, if the kernel reports it
    double fired_error = 0;              ///< statistical error of `fired` (a number of firings), if that is an estimate
    bool is_estimate = false;

    /// Returns the time in ns that all firings spent in programs.
    double of_programs() const { return static_cast<double>(fired - sampled_out) * program.mean; }
    /// Returns the time in ns that all firings spent in programs and hooks.
    double total() const { return of_programs() + static_cast<double>(fired) * outside.value_or(HookOverhead{}).ns; }
    /// Returns the possible error of total() in ns.
    double error() const
    {
        const output::HookOverhead price = outside.value_or(HookOverhead{});
        return of_programs() * program.error + static_cast<double>(fired) * price.spread +
               fired_error * (program.mean + price.ns);
    }
};

struct CostReport {
    std::vector<Cost> clauses, probes; ///< probes and clauses that fired, most expensive first
    std::vector<Cost> others;          ///< cost of those runs of BPF programs in which no probe fires
    uint64_t elapsed = 0;              ///< time in ns since tracing began
    uint32_t cpus = 1;
    uint64_t tracer_time = 0;   ///< CPU time in ns that this process used since tracing began
    uint64_t tracer_memory = 0; ///< resident memory of this process in bytes
    uint64_t kernel_memory = 0; ///< memory of BPF maps and buffers in bytes
    MemorySum max_memory;       ///< upper bounds of tracer_memory and kernel_memory; 0 if unknown
    /// ns that clock readings took in all timed firings, because the measurement itself costs time
    double timing = 0;
    bool knows_all_outside = false;
};

/// Returns the cost report as human-readable text.
std::string cost_table(const CostReport& report);

} // namespace dt::output
