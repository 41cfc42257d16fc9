// Speculations on the consumer's side: samples that wait for commit() or discard() (dtrace-actions(7), SPECULATIONS).
//
// Samples and the records of commit() and discard() carry the serial number of their speculation, and ids are given out
// again by the kernel side alone. So what is late (a sample of another CPU's buffer, read after its commit record) is
// never taken for another speculation's, and what is lost (a commit record that found no room) blocks no id: its
// samples are given up and counted.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/consume/ring.hpp"

namespace dt::consume {

/// How the last 65,536 have ended, of which samples may be late: they come within a pass or two.
class EndedSpeculations {
public:
    enum class End : uint8_t { Unknown, Discarded, Committed };
    End of(uint32_t serial) const;
    void note(uint32_t serial, End end);

private:
    static constexpr uint32_t kKnown = 1 << 16;
    std::vector<End> ends_; ///< by serial number, modulo kKnown; empty: none has ended
    uint32_t youngest_ = 0; ///< what is so much older is not known any more
};

class Speculations {
public:
    /// What to do with a sample that carries a serial number.
    enum class Verdict : uint8_t { Kept, Print, Thrown, NoRoom };

    struct Kept {
        Sample head;
        std::vector<uint8_t> bytes;
        /// Valid as long as this is.
        Sample sample() const
        {
            Sample whole = head;
            whole.data = bytes.data();
            return whole;
        }
    };

    /// `limit`: bytes kept for one speculation (specsize).
    explicit Speculations(uint64_t limit) : limit_(limit) {}

    /// `specs`: the kernel's, `count` ids and the element before them; not called when the program has no speculation.
    void attach(const dt_spec* specs, std::size_t count);

    /// Decides about a sample of speculation sample.spec, and copies it when it is kept.
    Verdict take(const Sample& sample);

    /// The speculation was committed or discarded: from now on its samples are printed or thrown away as they come.
    /// Returns those kept, in the order received. 0 is none.
    std::vector<Kept> end(uint32_t serial, bool commit);

    /// After a pass that began at `now` (ns), or after the last one: forgets the speculations that the kernel side has
    /// ended some time ago and whose commit() or discard() has not come. Returns what of each was kept.
    std::vector<std::vector<Kept>> give_up_lost(uint64_t now, bool last);

private:
    struct Pending {
        std::vector<Kept> kept;
        uint64_t bytes = 0;
        bool seen_ended = false; // in the kernel, at the last look
    };

    void remember(uint32_t serial, bool commit);

    uint64_t limit_;
    const dt_spec* specs_ = nullptr;
    std::size_t count_ = 0;
    uint64_t last_look_ = 0;
    std::unordered_map<uint32_t, Pending> pending_;
    EndedSpeculations ended_;
};

} // namespace dt::consume
