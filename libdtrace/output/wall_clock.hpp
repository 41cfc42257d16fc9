// Times of samples as people read them.
#pragma once

#include <cstdint>

#include "libdtrace/format/text.hpp"

namespace dt::output {

/// `monotonic` is a sample's time: nanoseconds by CLOCK_MONOTONIC.
class WallClock {
public:
    /// A JSON string as other programs log it: RFC 3339, in UTC, with nanoseconds.
    void append(format::Text& out, uint64_t monotonic);
    /// The same without quotation marks.
    void append_bare(format::Text& out, uint64_t monotonic);
    /// "2026 Nov 22 16:03:59", in the time zone here: as %Y of printf().
    void append_date(format::Text& out, uint64_t monotonic);
    /// "16:03:59.123456 ", in the time zone here.
    void append_time_of_day(format::Text& out, uint64_t monotonic);
    static constexpr unsigned kTimeOfDay = 16; ///< columns of that
    /// ns by CLOCK_REALTIME.
    uint64_t since_epoch(uint64_t monotonic);

private:
    bool known_ = false;
    uint64_t second_ = 0; ///< of the last time
    int64_t offset_ = 0;  ///< between the clocks, as of then
};

} // namespace dt::output
