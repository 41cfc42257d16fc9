// Finds the records that a perf buffer still contains, including those that its reader has already consumed. Consumed
// records stay until they are overwritten, so the buffer is a flight recorder at no cost. The position of the oldest
// record is not stored and must be searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dt::postmortem {

struct LastRecords {
    uint64_t first = 0;   ///< position of the oldest complete record, or the end if none exists
    uint64_t former = 0;  ///< samples that the reader had consumed
    uint64_t waiting = 0; ///< samples that the reader had not consumed
    bool is_torn = false; ///< a record was being written
};

struct RingPositions {
    uint64_t head = 0;     ///< end of the written data
    uint64_t tail = 0;     ///< end of the consumed data
    uint64_t reserved = 0; ///< end of the reserved space, where a write may be in progress
};

/// Finds the records. `data` is the ring, a power of two in bytes; `statements` is the number of statements.
///
/// A position holds a record if its length leads to another record, and so on to the end, in order of time. Positions
/// inside a record fail this test, or soon join the chain of records. Cost: one step per word.
LastRecords find_last_records(std::span<const uint8_t> data, const RingPositions& at, uint32_t statements);

} // namespace dt::postmortem
