// Writer of Perfetto traces: Protocol Buffers packets, appended while tracing runs.
//
// Packets refer to earlier ones only by track numbers, so a truncated file is readable up to its end. Field numbers are
// those of Perfetto's trace_packet.proto, track_descriptor.proto, track_event.proto and debug_annotation.proto.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {

/// Names and values displayed with an event.
class PerfettoArguments {
public:
    void number(std::string_view name, uint64_t value, bool is_signed);
    void text(std::string_view name, std::string_view value);
    void texts(std::string_view name, std::span<const std::string> values);

    struct Bucket {
        int64_t low = 0, high = 0, count = 0; ///< inclusive bounds, and the count
    };
    void buckets(std::string_view name, std::span<const Bucket> values);

    void clear() { bytes_.clear(); }
    void append(const PerfettoArguments& more) { bytes_.append(more.bytes_); }
    const std::string& encoded() const { return bytes_; }

private:
    std::string bytes_;
};

class PerfettoTrace {
public:
    /// Event types, with the values of TrackEvent.Type.
    enum class Kind : uint8_t { Begin = 1, End = 2, Instant = 3 };
    using Track = uint64_t;

    static constexpr Track kTracer = 1; ///< track of events that belong to no thread

    explicit PerfettoTrace(Output& output) : output_(output) {}

    /// Writes clocks and the tracer's track. Must precede all events of a file, so call it again for each new file.
    void begin();
    uint64_t file() const { return file_; }

    Track thread(const FiringThread& thread, uint32_t cpu);
    Track counter(std::string_view name);

    /// Adds an event; `time` is CLOCK_MONOTONIC ns.
    void add(Kind kind, Track track, uint64_t time, std::string_view category, std::string_view name,
             const PerfettoArguments& arguments);
    void add_count(Track track, uint64_t time, int64_t value);

private:
    template <typename Fill> void add_packet(Fill fill);
    template <typename Fill> void add_event(int type, Track track, uint64_t time, Fill fill);
    template <typename Fill> void describe(Track track, Fill fill);
    void describe_named(Track track, std::string_view name);
    void describe_thread(Track track, const FiringThread& thread);

    Output& output_;
    uint64_t file_ = UINT64_MAX;                     ///< Output::files() at the last begin()
    std::unordered_map<Track, std::string> threads_; ///< described thread tracks and their names
    std::unordered_set<Track> others_;               ///< other described tracks
    std::string event_, packet_, framed_;            ///< buffers for packets under construction
};

} // namespace dt::output
