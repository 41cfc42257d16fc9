// The records that a perf buffer still has, also those that its reader has taken out long ago: what was read stays
// until it is overwritten, so the buffer is a flight recorder that costs nothing. Where the oldest begins nobody has
// noted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dt::postmortem {

struct LastRecords {
    uint64_t first = 0;   ///< position of the oldest that is whole; the end, where there is none
    uint64_t former = 0;  ///< samples that their reader had taken out
    uint64_t waiting = 0; ///< samples that nobody had read
    bool is_torn = false; ///< one was being written
};

struct RingPositions {
    uint64_t head = 0;     ///< what is before it has been written
    uint64_t tail = 0;     ///< what is before it has been read
    uint64_t reserved = 0; ///< what is before it may be overwritten by what is being written
};

/// `data`: the ring, a power of two of bytes. `statements`: as many there are.
///
/// A record is one from which its length leads to another, and so on up to the end, in the order of time: bytes in the
/// middle of a record do not, or meet the others soon. Cost: one step for each word.
LastRecords find_last_records(std::span<const uint8_t> data, const RingPositions& at, uint32_t statements);

} // namespace dt::postmortem
