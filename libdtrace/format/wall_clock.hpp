// Converts the times of samples (CLOCK_MONOTONIC ns) to wall-clock times.
#pragma once

#include <cstdint>

#include "libdtrace/format/text.hpp"

namespace dt::output {

/// Formats the times of samples. Parameter `monotonic` is always the time of a sample in CLOCK_MONOTONIC ns.
class WallClock {
public:
    /// Appends the time as a JSON string: RFC 3339 in UTC with nanoseconds.
    void append(format::Text& out, uint64_t monotonic);
    /// Appends the time in the same form as append(), without quotation marks.
    void append_bare(format::Text& out, uint64_t monotonic);
    /// Appends "2026 Nov 22 16:03:59" in the local time zone, like %Y of printf().
    void append_date(format::Text& out, uint64_t monotonic);
    /// Appends "16:03:59.123456 " in the local time zone.
    void append_time_of_day(format::Text& out, uint64_t monotonic);
    static constexpr unsigned kTimeOfDay = 16; ///< number of columns of append_time_of_day()
    /// Returns the time as ns of CLOCK_REALTIME.
    uint64_t since_epoch(uint64_t monotonic);

private:
    bool known_ = false;
    uint64_t second_ = 0; ///< time in seconds at which `offset_` was last read
    int64_t offset_ = 0;  ///< CLOCK_REALTIME minus CLOCK_MONOTONIC, in ns
};

} // namespace dt::output
