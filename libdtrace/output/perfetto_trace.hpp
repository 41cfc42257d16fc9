// The packets of a trace of Perfetto: Protocol Buffers, one behind the other, as long as a trace goes on.
//
// Nothing refers to an earlier packet but by the number of a track, so that a file that is cut off anywhere can be read
// up to there. Field numbers are those of Perfetto's trace_packet.proto, track_descriptor.proto, track_event.proto and
// debug_annotation.proto.
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

/// What is shown beside an event: names and values.
class PerfettoArguments {
public:
    void number(std::string_view name, uint64_t value, bool is_signed);
    void text(std::string_view name, std::string_view value);
    void texts(std::string_view name, std::span<const std::string> values);

    struct Bucket {
        int64_t low = 0, high = 0, count = 0; ///< both ends belong to it
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
    /// Values are those of TrackEvent.Type.
    enum class Kind : uint8_t { Begin = 1, End = 2, Instant = 3 };
    using Track = uint64_t;

    static constexpr Track kTracer = 1; ///< what is of no thread

    explicit PerfettoTrace(Output& output) : output_(output) {}

    /// In front of all events of a file: clocks, and the tracer's track. When another file has been begun it is called
    /// again.
    void begin();
    uint64_t file() const { return file_; }

    Track thread(const FiringThread& thread, uint32_t cpu);
    Track counter(std::string_view name);

    /// `time`: CLOCK_MONOTONIC ns.
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
    uint64_t file_ = UINT64_MAX;                     ///< Output::files() when begin() was called
    std::unordered_map<Track, std::string> threads_; ///< that the file knows, and their names
    std::unordered_set<Track> others_;               ///< likewise
    std::string event_, packet_, framed_;            ///< under way
};

} // namespace dt::output
