// What tracing costs (-x cost).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libdtrace/output/memory.hpp"

namespace dt::output {

/// How long firings take.
struct Times {
    double mean = 0, p99 = 0, most = 0; ///< ns
    double error = 0;                   ///< of the mean, as a part of it: one standard deviation
    uint64_t timed = 0;                 ///< firings that this is known from
};

/// What a clause is made of in the kernel: instructions, and bytes of the stack and of the maps that it uses.
struct CodeSize {
    uint64_t instructions = 0, stack = 0, maps = 0;
};

/// What a firing takes before and behind its program.
struct OutsidePrice {
    double ns = 0;
    double spread = 0;              ///< ns: half of what lies between the least and the most that was measured
    double call = 0;                ///< ns that an untraced system call took then; 0: not known
    double pace = 0;                ///< ns that pace_here() took then; 0: not known
    double busy = 0, busy_pace = 0; ///< the same two beside a busy thread of the core; 0: not known, or no different

    /// What it takes where pace_here() takes `now` ns.
    OutsidePrice at(double now) const;
};

/// Of a clause or a probe.
struct Cost {
    uint32_t id = 0;
    std::string name;
    uint64_t fired = 0;
    Times program;                       ///< what the program itself takes
    std::optional<OutsidePrice> outside; ///< of a probe, where it is known
    std::vector<uint32_t> statements;    ///< of a probe: those that run
    uint64_t passed_by = 0;              ///< of those that fired, to keep maxcost: the program took no time for them
    std::optional<CodeSize> size;        ///< of a clause, where the kernel tells it
    double fired_error = 0;              ///< firings by which `fired` may be wrong, where that is an estimate
    bool is_estimate = false;

    double of_programs() const { return static_cast<double>(fired - passed_by) * program.mean; } ///< ns, all firings
    /// Ns that all firings took.
    double total() const { return of_programs() + static_cast<double>(fired) * outside.value_or(OutsidePrice{}).ns; }
    /// Ns by which that may be wrong.
    double error() const
    {
        const output::OutsidePrice price = outside.value_or(OutsidePrice{});
        return of_programs() * program.error + static_cast<double>(fired) * price.spread +
               fired_error * (program.mean + price.ns);
    }
};

struct CostReport {
    std::vector<Cost> clauses, probes; ///< that fired, the dearest first
    std::vector<Cost> others;          ///< what programs were called for that was no firing: only outside of them
    uint64_t elapsed = 0;              ///< ns since tracing began
    uint32_t cpus = 1;
    uint64_t tracer_time = 0;   ///< ns of CPU time that this process took meanwhile
    uint64_t tracer_memory = 0; ///< bytes that are resident
    uint64_t kernel_memory = 0; ///< bytes of maps and buffers
    MemorySum most_memory;      ///< that both can become; 0: not known
    double timing = 0;          ///< ns that reading the clock took
    bool knows_all_outside = false;
};

/// Lines for a person.
std::string cost_table(const CostReport& report);

} // namespace dt::output
