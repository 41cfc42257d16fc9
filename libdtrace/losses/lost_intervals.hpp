// Lost intervals (gaps): ranges between two records of a CPU in which other records are missing.
//
// A counter contains the number of records for which a CPU's buffer had no room, but not their times. So the kernel
// writes a note into the buffer, before the first record for which there was room again. The consumer knows the time of
// each record that it drops itself. Both kinds of losses are stored here until the next record of their CPU, and are
// reported before it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

class LostIntervals {
public:
    /// Creates an empty list of gaps. `drops` contains the drop counts of the run. Both arguments must outlive this
    /// object.
    LostIntervals(const DropStats& drops, output::Sink& sink) : drops_(drops), sink_(sink) {}

    /// Sets the start of the time in which records can be missing (CLOCK_MONOTONIC ns).
    void begin(uint64_t now) { began_ = last_look_ = now; }

    /// Adds `count` records that the consumer dropped. All of these records were written at the time `since` or later.
    void add(uint32_t cpu, DropReason cause, uint64_t count, uint64_t since) { add(cpu, cause, count, since, since); }
    /// Adds a record that the consumer dropped for lack of room.
    void add(const Sample& lost, DropReason cause)
    {
        if (lost.missing != 0)
            add_missing(lost);
        add(lost.cpu, cause, 1, lost.time);
    }

    /// Adds the speculative records lost since the last call. Only their number is known, so the gap is the time
    /// between the last call and this one.
    void check(uint64_t now);

    /// Reports the gap before a record, if records are missing before it.
    void show(const Sample& next)
    {
        if (next.missing != 0)
            add_missing(next);
        if (!waiting_.empty())
            show(next.cpu, next.time);
        if (shown_.size() <= next.cpu)
            shown_.resize(next.cpu + 1);
        shown_[next.cpu] = next.time;
    }

    /// Reports the remaining gaps, which end at `now`: gaps without a later record, and losses about which the kernel
    /// could not write a note into the buffer.
    void finish(uint64_t now);

private:
    struct Waiting {
        DropReason cause;
        /// number of losses, and start and end of the time in which they occurred (CLOCK_MONOTONIC ns)
        uint64_t count, since, until;
    };
    void add(uint32_t cpu, DropReason cause, uint64_t count, uint64_t since, uint64_t until);
    void add_missing(const Sample& next);
    uint64_t unreported(DropReason cause, uint32_t cpu) const;
    void show(uint32_t cpu, uint64_t until);

    const DropStats& drops_;
    output::Sink& sink_;
    uint64_t began_ = 0, last_look_ = 0;
    std::vector<uint64_t> shown_; ///< time of the last reported record, by CPU
    /// gaps that are not reported yet, by CPU; a CPU without gaps has no entry
    std::map<uint32_t, std::vector<Waiting>> waiting_;
    /// For each drop reason and CPU, the number of losses that were added to a gap, whether or not the gap was
    /// reported.
    std::map<std::pair<DropReason, uint32_t>, uint64_t> reported_;
};

} // namespace dt::consume
