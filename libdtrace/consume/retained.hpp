// Buffer policies that do not print samples as they come (dtrace(8), BUFFERS).
//
// fill keeps the first samples of each CPU and ends the run when a CPU has no room for another; ring keeps the last
// ones until they are asked for, or the run ends. What the kernel's buffers hold is taken out of them all the time and
// kept here, so that the limit is the requested bufsize to the byte, whatever sizes the kernel's buffers can have. A
// sample counts as traditional DTrace stored it: four bytes and its data, rounded up to eight.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/consume/losses.hpp"
#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

/// Bytes that a sample of this statement counts as.
uint64_t traditional_size(const StatementSchema& statement);

class Retained {
public:
    Retained(const RunOptions& options, Losses& losses) : options_(options), losses_(losses) {}

    bool is_in_use() const { return options_.bufpolicy != BufferPolicy::Switch; }
    bool is_ring() const { return options_.bufpolicy == BufferPolicy::Ring; }

    /// `end_statements`: ids of the statements of END, for whose samples fill keeps room on each CPU. Fails when there
    /// is no such room, or none at all: the text follows "could not enable tracing: ".
    Result<void> open(const std::vector<StatementSchema>& statements, const std::vector<uint32_t>& end_statements);

    /// Copies a sample, or not, as the policy says. Told as drops are the first one of a CPU that finds no room (fill),
    /// and each that never will (ring).
    void keep(const Sample& sample);

    /// fill: some CPU had no room for a sample, and the run is over.
    bool is_full() const { return full_; }

    /// Everything kept, in the order it is to be printed, and then no more; `lose` is told what found no room between
    /// two samples of a CPU, before the second of them: CPU, cause, how many, and from when on.
    template <typename Handle, typename Lose> void replay(Handle handle, Lose lose)
    {
        for (const Kept* kept : in_order()) {
            if (kept->missing.count != 0)
                lose(kept->sample.cpu, cause(), kept->missing.count, kept->missing.since);
            Sample sample = kept->sample;
            sample.data = kept->bytes.data();
            handle(sample);
        }
        for (uint32_t cpu = 0; cpu < cpus_.size(); ++cpu)
            if (const Missing& behind = cpus_[cpu].missing; behind.count != 0)
                lose(cpu, cause(), behind.count, behind.since);
        cpus_.clear();
    }

private:
    struct Missing {
        uint64_t count = 0, since = 0; ///< CLOCK_MONOTONIC ns, of the first
        void add(uint64_t more, uint64_t from)
        {
            since = count == 0 ? from : since;
            count += more;
        }
    };
    struct Kept {
        Sample sample;
        std::vector<uint8_t> bytes;
        uint64_t size = 0;
        Missing missing; ///< in front of it
    };
    struct Cpu {
        std::deque<Kept> kept;
        uint64_t used = 0;
        bool full = false;
        Missing missing; ///< behind the last that was kept
    };
    Cause cause() const { return is_ring() ? Cause::Buffer : Cause::Full; }
    void overwrite_first(Cpu& cpu);
    std::vector<const Kept*> in_order() const;

    const RunOptions& options_;
    Losses& losses_;
    ThrownFirings::Seen seen_;
    std::vector<uint64_t> sizes_; // by statement
    uint64_t reserved_ = 0;       // for END
    std::vector<Cpu> cpus_;
    bool full_ = false;
};

} // namespace dt::consume
