// Where records are missing: between which two records of a CPU, and for how long.
//
// A counter says how many records a CPU's buffer had no room for, and not where. The kernel leaves a note in the
// buffer, in front of the first record that found room again; what the consumer itself throws away it sees one by one.
// Both wait here for the next record of their CPU, and are shown in front of it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "libdtrace/consume/ledger.hpp"
#include "libdtrace/consume/ring.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

class Gaps {
public:
    /// Both must outlive this. `ledger` has what drops come to.
    Gaps(const Ledger& ledger, output::Sink& sink) : ledger_(ledger), sink_(sink) {}

    /// Records can be missing from now on (CLOCK_MONOTONIC ns).
    void begin(uint64_t now) { began_ = last_look_ = now; }

    /// So many that the consumer itself threw away, none of them older than `since`.
    void add(uint32_t cpu, Cause cause, uint64_t count, uint64_t since) { add(cpu, cause, count, since, since); }
    /// A record that the consumer itself has no room for.
    void add(const Sample& lost, Cause cause)
    {
        if (lost.missing != 0)
            add_missing(lost);
        add(lost.cpu, cause, 1, lost.time);
    }

    /// Speculative records are counted when the speculative buffer is full, and nothing says where: those that the
    /// ledger has got since the last look are missing between the two.
    void look(uint64_t now);

    /// Shows what is missing in front of this record.
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

    /// Shows what no record came after, until `now`: what waits, and what buffers lost without a note.
    void finish(uint64_t now);

private:
    struct Waiting {
        Cause cause;
        uint64_t count, since, until; ///< CLOCK_MONOTONIC ns: all of them are between these, as far as that is known
    };
    void add(uint32_t cpu, Cause cause, uint64_t count, uint64_t since, uint64_t until);
    void add_missing(const Sample& next);
    uint64_t untold(Cause cause, uint32_t cpu) const;
    void show(uint32_t cpu, uint64_t until);

    const Ledger& ledger_;
    output::Sink& sink_;
    uint64_t began_ = 0, last_look_ = 0;
    std::vector<uint64_t> shown_;                         ///< by CPU: time of the last record
    std::map<uint32_t, std::vector<Waiting>> waiting_;    ///< by CPU; of none that has nothing
    std::map<std::pair<Cause, uint32_t>, uint64_t> told_; ///< by CPU: shown, or waiting
};

} // namespace dt::consume
