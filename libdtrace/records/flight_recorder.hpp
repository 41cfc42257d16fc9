// Buffer policies that do not print samples immediately: fill and ring, the flight recorder (dtrace(8), BUFFERS).
//
// Policy fill stores the first samples of each CPU, and ends the run when a CPU has no room for another sample. Policy
// ring stores the last samples until freeze() or a signal requests them, or the run ends. Samples are moved
// continuously from the kernel's buffers to this object. So the limit is exactly the requested bufsize, although the
// kernel's buffers can have only certain sizes. The size with which a sample counts is its size in traditional DTrace:
// four bytes and its data, rounded up to a multiple of eight.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/losses/drop_messages.hpp"
#include "libdtrace/options/options.hpp"

namespace dt::consume {

/// Returns the size with which a sample of this statement counts for bufsize, in bytes.
uint64_t traditional_size(const StatementSchema& statement);

class FlightRecorder {
public:
    FlightRecorder(const RunOptions& options, Losses& losses) : options_(options), losses_(losses) {}

    bool is_in_use() const { return options_.bufpolicy != BufferPolicy::Switch; }
    bool is_ring() const { return options_.bufpolicy == BufferPolicy::Ring; }

    /// Prepares the buffer policy that the options select. `end_statements` are the statements of END, for whose
    /// samples policy fill reserves room on each CPU. Fails if bufsize is too small; the caller prints "could not
    /// enable tracing: " before the error text.
    Result<void> open(const std::vector<StatementSchema>& statements, const std::vector<uint32_t>& end_statements);

    /// Stores a copy of a sample, if there is room for it. Under policy fill, a message reports the first sample for
    /// which a CPU has no room. Under policy ring, a message reports each sample that is too large to fit at any time.
    void keep(const Sample& sample);

    /// Returns whether a CPU had no room for a sample under policy fill, so that the run must end.
    bool is_full() const { return full_; }

    /// Calls `handle` for all samples in output order, and removes them. If samples of a CPU were lost before a sample,
    /// first calls `lose` with the CPU, the reason, the count and the time of the first lost sample.
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
        /// Number of lost samples, and time of the first one (CLOCK_MONOTONIC ns).
        uint64_t count = 0, since = 0;
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
        Missing missing; ///< losses between the sample before and this one
    };
    struct Cpu {
        std::deque<Kept> kept;
        uint64_t used = 0;
        bool full = false;
        Missing missing; ///< samples of this CPU that were lost after the last stored sample
    };
    DropReason cause() const { return is_ring() ? DropReason::Buffer : DropReason::Full; }
    void overwrite_first(Cpu& cpu);
    std::vector<const Kept*> in_order() const;

    const RunOptions& options_;
    Losses& losses_;
    DiscardedHits::Seen seen_;
    std::vector<uint64_t> sizes_; // result of traditional_size() for each statement
    uint64_t reserved_ = 0;       // bytes reserved for the samples of END
    std::vector<Cpu> cpus_;
    bool full_ = false;
};

// Enforces a bufsize that is smaller than the kernel's buffers, which consist of whole pages.

class BufferLimit {
public:
    BufferLimit(const RunOptions& options, const std::vector<StatementSchema>& statements)
        : options_(options), statements_(statements)
    {
    }

    /// Selects the rule by which samples are dropped. If bufsize is smaller than a page, each CPU has room for bufsize
    /// bytes in each pass of the consumer. Otherwise only samples larger than bufsize are dropped.
    void open(std::size_t page) { counts_ = options_.bufsize < page; }
    void begin_pass() { used_.clear(); }
    /// Returns whether there is room for the sample. Speculative samples always fit, because specsize limits them;
    /// samples of END are never dropped.
    bool has_room(const Sample& sample);

private:
    uint64_t size_of(const Sample& sample);

    const RunOptions& options_;
    const std::vector<StatementSchema>& statements_;
    std::vector<uint64_t> sizes_; // result of traditional_size() for each statement
    std::vector<uint64_t> used_;  // bytes used by each CPU in the current pass of the consumer
    bool counts_ = false;
};

} // namespace dt::consume
