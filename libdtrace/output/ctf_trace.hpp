// Writer of a Common Trace Format 1.8 trace: a folder with a stream of packets and the metadata that describe them.
//
// A packet header holds the number of lost events, so a new packet begins wherever events were lost.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "libdtrace/options/options.hpp"
#include "libdtrace/output/ctf_event.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {

class CtfTrace {
public:
    /// Writes packets to `stream`, which must outlive this object, and metadata to a separate file.
    explicit CtfTrace(Output& stream) : stream_(stream) {}

    /// Writes the constant part of the metadata. The error message is complete.
    Result<void> open(const std::string& folder, const Labels& labels);

    /// Appends an event. `time` (CLOCK_MONOTONIC ns) must not be before last().
    void add(const CtfEvent& event, uint64_t time);
    /// Counts lost events between the last event and the next one, or the end.
    void add_lost(uint64_t count);
    uint64_t lost() const { return lost_; }
    /// Returns the time of the last event, or 0 if none exists.
    uint64_t last() const { return last_; }

    /// Writes the last packet, and an empty one if events were lost at the end. Returns 0, or an errno if the metadata
    /// could not be written.
    int finish();

private:
    uint32_t class_of(const CtfEvent& event);
    void end_packet();
    void write_packet(uint64_t lost);

    Output& stream_;
    Output metadata_{-1};
    std::unordered_map<std::string, uint32_t> classes_; ///< class numbers by event description
    std::string packet_;                                ///< events of the current packet
    uint64_t begin_ = 0, last_ = 0;                     ///< times of its first and last event
    uint64_t packets_ = 0;
    uint64_t lost_ = 0;           ///< events lost since the trace began
    bool is_behind_loss_ = false; ///< the current packet follows a loss
};

} // namespace dt::output
