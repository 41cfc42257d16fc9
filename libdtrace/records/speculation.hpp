// The consumer's side of speculations: samples that wait for commit() or discard() (dtrace-actions(7), SPECULATIONS).
//
// Samples, commit records and discard records have the serial number of their speculation, because the kernel side
// reuses ids. So a late sample (read from another CPU's buffer after the commit record) is never attributed to another
// speculation. If a commit record is lost because a buffer is full, the speculation's samples are given up and counted,
// and its id can be used again.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/buffers/ring.hpp"

namespace dt::consume {

/// Outcomes of the last 65,536 speculations. They are needed for samples that arrive after the end of their
/// speculation, which happens within a pass or two.
class SpeculationOutcomes {
public:
    enum class End : uint8_t { Unknown, Discarded, Committed };
    End of(uint32_t serial) const;
    void note(uint32_t serial, End end);

private:
    static constexpr uint32_t kKnown = 1 << 16;
    std::vector<End> ends_;      ///< by serial number modulo kKnown; empty: none has ended
    uint32_t latest_serial_ = 0; ///< latest serial number; outcomes older than kKnown are unknown
};

class Speculations {
public:
    /// Decision about a sample that carries a serial number.
    enum class Verdict : uint8_t { Kept, Print, Thrown, NoRoom };

    struct Kept {
        Sample head;
        std::vector<uint8_t> bytes;
        /// Returns the sample, which refers to this object's memory.
        Sample sample() const
        {
            Sample whole = head;
            whole.data = bytes.data();
            return whole;
        }
    };

    /// `limit` is the number of bytes kept for one speculation (specsize).
    explicit Speculations(uint64_t limit) : limit_(limit) {}

    /// Sets the kernel's table of speculations. It has `count` ids after an unused first element. Not called if the
    /// program has no speculations.
    void attach(const dt_spec* specs, std::size_t count);

    /// Decides about a sample of the speculation sample.spec. Copies the sample if it is to be kept.
    Verdict take(const Sample& sample);

    /// Ends a speculation: later samples are printed or discarded as they arrive. Returns the samples to print, in
    /// order of arrival. Serial number 0 means no speculation.
    std::vector<Kept> end(uint32_t serial, bool commit);

    /// Gives up speculations that have ended in the kernel some time ago, but whose commit or discard record has not
    /// arrived. Call it after a pass that began at `now` (ns), or after the last one. Returns the kept samples of each
    /// speculation.
    std::vector<std::vector<Kept>> abandon_lost(uint64_t now, bool last);

private:
    struct Pending {
        std::vector<Kept> kept;
        uint64_t bytes = 0;
        bool seen_ended = false; // whether the previous check found that the speculation had ended in the kernel
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
