// The consumer's side of speculations: samples that wait for commit() or discard() (dtrace-actions(7), SPECULATIONS).
//
// Samples, commit records and discard records contain the serial number of their speculation, because the BPF program
// reuses ids. So a late sample (read from another CPU's buffer after the commit record) is never attributed to another
// speculation. If a commit record is lost because a buffer is full, the samples of the speculation are discarded and
// counted as lost.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/buffers/ring.hpp"

namespace dt::consume {

/// Outcomes of the last 65,536 speculations. They are needed for samples that arrive after the end of their
/// speculation. Such samples arrive in the pass of the consumer in which the speculation ends, or in the next one.
class SpeculationOutcomes {
public:
    enum class End : uint8_t { Unknown, Discarded, Committed };
    End of(uint32_t serial) const;
    void note(uint32_t serial, End end);

private:
    static constexpr uint32_t kKnown = 1 << 16;
    /// outcomes of speculations, indexed by serial number modulo kKnown; empty if no speculation has ended
    std::vector<End> ends_;
    /// Highest serial number in `ends_`. Outcomes are known only for the last kKnown serial numbers, up to this one.
    uint32_t latest_serial_ = 0;
};

class Speculations {
public:
    /// Result of take() for a speculation's sample: it is stored, printed, discarded, or lost for lack of room.
    enum class Verdict : uint8_t { Kept, Print, Thrown, NoRoom };

    struct Kept {
        Sample head;
        std::vector<uint8_t> bytes;
        /// Returns the stored sample, whose data are in this object's memory.
        Sample sample() const
        {
            Sample whole = head;
            whole.data = bytes.data();
            return whole;
        }
    };

    /// `limit` is the maximum size in bytes of a speculation's samples (specsize).
    explicit Speculations(uint64_t limit) : limit_(limit) {}

    /// Sets the table of speculations that the kernel shares with this process. It consists of an unused element and
    /// `count` further elements; the index is the id of the speculation. This function is not called if the program has
    /// no speculations.
    void attach(const dt_spec* specs, std::size_t count);

    /// Decides what happens to a sample of the speculation `sample.spec`. If the result is Kept, stores a copy.
    Verdict take(const Sample& sample);

    /// Ends a speculation: samples of it that arrive later are printed or discarded immediately. Returns the samples to
    /// print, in order of arrival. If `serial` is 0 there is no speculation, and nothing happens.
    std::vector<Kept> end(uint32_t serial, bool commit);

    /// Discards speculations that have ended in the kernel some time ago, but whose commit or discard record has not
    /// arrived. Call it after each pass of the consumer, with the time `now` (ns) at which that pass began. Returns the
    /// discarded samples of each speculation.
    std::vector<std::vector<Kept>> abandon_lost(uint64_t now, bool last);

private:
    struct Pending {
        std::vector<Kept> kept;
        uint64_t bytes = 0;
        bool seen_ended = false; // whether the previous check already found the speculation ended in the kernel
    };

    void remember(uint32_t serial, bool commit);

    uint64_t limit_;
    const dt_spec* specs_ = nullptr;
    std::size_t count_ = 0;
    uint64_t last_look_ = 0;
    std::unordered_map<uint32_t, Pending> pending_;
    SpeculationOutcomes ended_;
};

} // namespace dt::consume
