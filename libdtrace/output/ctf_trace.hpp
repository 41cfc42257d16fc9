// A trace of the Common Trace Format 1.8: a folder with a stream of packets, and with the metadata that describe them.
//
// Packets hold events that were lost as a number, so what was lost before an event is told by beginning another packet.
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
    /// Packets go to `stream`, which must outlive it, metadata to a file of their own.
    explicit CtfTrace(Output& stream) : stream_(stream) {}

    /// Writes what is known of every trace. The error is complete.
    Result<void> open(const std::string& folder, const Labels& labels);

    /// `time` (CLOCK_MONOTONIC ns) is not before last().
    void add(const CtfEvent& event, uint64_t time);
    /// So many are missing in front of the next one, or of the end.
    void add_lost(uint64_t count);
    uint64_t lost() const { return lost_; }
    /// The time of the last event; 0: there is none.
    uint64_t last() const { return last_; }

    /// Writes what is there, even if that is nothing but what was lost. An errno when metadata could not be written.
    int finish();

private:
    uint32_t class_of(const CtfEvent& event);
    void end_packet();
    void write_packet(uint64_t lost);

    Output& stream_;
    Output metadata_{-1};
    std::unordered_map<std::string, uint32_t> classes_; ///< numbers, by what events say of themselves
    std::string packet_;                                ///< events of the packet at hand
    uint64_t begin_ = 0, last_ = 0;                     ///< times of its first and last
    uint64_t packets_ = 0;
    uint64_t lost_ = 0;           ///< all so far
    bool is_behind_loss_ = false; ///< the packet at hand
};

} // namespace dt::output
