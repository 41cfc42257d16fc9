// Encodes Perfetto's messages; the constants are their field numbers.
#include "libdtrace/output/perfetto_trace.hpp"

#include <functional>

#include <protozero/pbf_writer.hpp>

#include "base/time.hpp"

namespace dt::output {

namespace {

using MessageWriter = protozero::pbf_writer;

namespace trace_field {
constexpr protozero::pbf_tag_type kPacket = 1;
}
namespace packet_field {
constexpr protozero::pbf_tag_type kClockSnapshot = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11,
                                  kSequenceFlags = 13, kTimestampClock = 58, kTrackDescriptor = 60;
}
namespace clocks_field {
constexpr protozero::pbf_tag_type kClock = 1, kPrimary = 2, kClockId = 1, kClockTime = 2;
}
namespace track_field {
constexpr protozero::pbf_tag_type kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kCounter = 8;
}
namespace process_field {
constexpr protozero::pbf_tag_type kPid = 1, kName = 6;
}
namespace thread_field {
constexpr protozero::pbf_tag_type kPid = 1, kTid = 2, kName = 5;
}
namespace event_field {
constexpr protozero::pbf_tag_type kArgument = 4, kType = 9, kTrack = 11, kCategory = 22, kName = 23, kCount = 30;
}
namespace argument_field {
constexpr protozero::pbf_tag_type kUnsigned = 3, kSigned = 4, kText = 6, kName = 10, kMember = 11, kElement = 12;
}

constexpr uint32_t kRealtime = 1, kMonotonic = 3, kBoottime = 6; // values of BuiltinClock
constexpr uint32_t kSequenceId = 1;                              // this trace has a single writer
constexpr uint32_t kBeginsAnew = 1;                              // SEQ_INCREMENTAL_STATE_CLEARED
constexpr int kCounterEvent = 4;                                 // value of TrackEvent.Type

// Bits that keep the 64-bit numbers of different track kinds distinct.
constexpr uint64_t kThreadTracks = uint64_t{1} << 62, kProcessTracks = uint64_t{1} << 61,
                   kIdleTracks = uint64_t{1} << 60, kCounterTracks = uint64_t{1} << 63;

constexpr std::size_t kMostTracks = 1 << 16; // limit of remembered tracks, because a trace may run for months

void begin_argument(MessageWriter& argument, std::string_view name)
{
    argument.add_string(argument_field::kName, name.data(), name.size());
}

} // namespace

// ---- event arguments ------------------------------------------------------------------------------------------------

void PerfettoArguments::number(std::string_view name, uint64_t value, bool is_signed)
{
    MessageWriter event(bytes_), argument(event, event_field::kArgument);
    begin_argument(argument, name);
    if (is_signed)
        argument.add_int64(argument_field::kSigned, static_cast<int64_t>(value));
    else
        argument.add_uint64(argument_field::kUnsigned, value);
}

void PerfettoArguments::text(std::string_view name, std::string_view value)
{
    MessageWriter event(bytes_), argument(event, event_field::kArgument);
    begin_argument(argument, name);
    argument.add_string(argument_field::kText, value.data(), value.size());
}

void PerfettoArguments::texts(std::string_view name, std::span<const std::string> values)
{
    MessageWriter event(bytes_), argument(event, event_field::kArgument);
    begin_argument(argument, name);
    for (const std::string& value : values) {
        MessageWriter element(argument, argument_field::kElement);
        element.add_string(argument_field::kText, value);
    }
}

void PerfettoArguments::buckets(std::string_view name, std::span<const Bucket> values)
{
    MessageWriter event(bytes_), argument(event, event_field::kArgument);
    begin_argument(argument, name);
    for (const Bucket& bucket : values) {
        MessageWriter element(argument, argument_field::kElement);
        for (const auto& [member, value] :
             {std::pair("low", bucket.low), std::pair("high", bucket.high), std::pair("count", bucket.count)}) {
            MessageWriter one(element, argument_field::kMember);
            begin_argument(one, member);
            one.add_int64(argument_field::kSigned, value);
        }
    }
}

// ---- packets --------------------------------------------------------------------------------------------------------

template <typename Fill> void PerfettoTrace::add_packet(Fill fill)
{
    packet_.clear();
    MessageWriter packet(packet_);
    packet.add_uint32(packet_field::kSequence, kSequenceId);
    fill(packet);
    framed_.clear();
    MessageWriter(framed_).add_message(trace_field::kPacket, packet_);
    output_.write(framed_);
}

template <typename Fill> void PerfettoTrace::describe(Track track, Fill fill)
{
    add_packet([&](MessageWriter& packet) {
        MessageWriter descriptor(packet, packet_field::kTrackDescriptor);
        descriptor.add_uint64(track_field::kUuid, track);
        fill(descriptor);
    });
}

void PerfettoTrace::describe_named(Track track, std::string_view name)
{
    describe(track, [&](MessageWriter& descriptor) {
        descriptor.add_string(track_field::kName, name.data(), name.size());
        if ((track & kCounterTracks) != 0)
            descriptor.add_message(track_field::kCounter, "", 0);
    });
}

void PerfettoTrace::begin()
{
    file_ = output_.files();
    threads_.clear();
    others_.clear();
    add_packet([](MessageWriter& packet) {
        packet.add_uint32(packet_field::kSequenceFlags, kBeginsAnew);
        MessageWriter clocks(packet, packet_field::kClockSnapshot);
        for (const auto& [id, clock] : {std::pair(kMonotonic, CLOCK_MONOTONIC), std::pair(kBoottime, CLOCK_BOOTTIME),
                                        std::pair(kRealtime, CLOCK_REALTIME)}) {
            MessageWriter one(clocks, clocks_field::kClock);
            one.add_uint32(clocks_field::kClockId, id);
            one.add_uint64(clocks_field::kClockTime, static_cast<uint64_t>(now_ns(clock)));
        }
        clocks.add_uint32(clocks_field::kPrimary, kMonotonic);
    });
    describe_named(kTracer, "dtrace");
}

PerfettoTrace::Track PerfettoTrace::thread(const FiringThread& thread, uint32_t cpu)
{
    if (thread.tid == 0) {
        const Track idle = kIdleTracks | cpu;
        if (others_.insert(idle).second)
            describe_named(idle, "idle/" + std::to_string(cpu));
        return idle;
    }
    const Track track = kThreadTracks | uint64_t{thread.pid} << 32 | thread.tid;
    if (threads_.size() >= kMostTracks)
        threads_.clear();
    const auto [known, is_new] = threads_.try_emplace(track, thread.name);
    if (is_new || known->second != thread.name) {
        known->second = thread.name;
        describe_thread(track, thread);
    }
    return track;
}

/// Describes a thread's track. The main thread's name also becomes the process name.
void PerfettoTrace::describe_thread(Track track, const FiringThread& thread)
{
    const auto pid = static_cast<int32_t>(thread.pid), tid = static_cast<int32_t>(thread.tid);
    if (pid == tid)
        describe(kProcessTracks | thread.pid, [&](MessageWriter& descriptor) {
            MessageWriter process(descriptor, track_field::kProcess);
            process.add_int32(process_field::kPid, pid);
            process.add_string(process_field::kName, thread.name.data(), thread.name.size());
        });
    describe(track, [&](MessageWriter& descriptor) {
        MessageWriter one(descriptor, track_field::kThread);
        one.add_int32(thread_field::kPid, pid);
        one.add_int32(thread_field::kTid, tid);
        one.add_string(thread_field::kName, thread.name.data(), thread.name.size());
    });
}

PerfettoTrace::Track PerfettoTrace::counter(std::string_view name)
{
    const Track track = kCounterTracks | std::hash<std::string_view>()(name);
    if (others_.size() >= kMostTracks)
        others_.clear();
    if (others_.insert(track).second)
        describe_named(track, name);
    return track;
}

template <typename Fill> void PerfettoTrace::add_event(int type, Track track, uint64_t time, Fill fill)
{
    add_packet([&](MessageWriter& packet) {
        packet.add_uint64(packet_field::kTimestamp, time);
        packet.add_uint32(packet_field::kTimestampClock, kMonotonic);
        event_.clear();
        MessageWriter event(event_);
        event.add_enum(event_field::kType, type);
        event.add_uint64(event_field::kTrack, track);
        fill(event);
        packet.add_message(packet_field::kTrackEvent, event_);
    });
}

void PerfettoTrace::add(Kind kind, Track track, uint64_t time, std::string_view category, std::string_view name,
                        const PerfettoArguments& arguments)
{
    add_event(static_cast<int>(kind), track, time, [&](MessageWriter& event) {
        if (kind != Kind::End) {
            event.add_string(event_field::kCategory, category.data(), category.size());
            event.add_string(event_field::kName, name.data(), name.size());
        }
        event_.append(arguments.encoded()); // already encoded fields of the event
    });
}

void PerfettoTrace::add_count(Track track, uint64_t time, int64_t value)
{
    add_event(kCounterEvent, track, time, [&](MessageWriter& event) { event.add_int64(event_field::kCount, value); });
}

} // namespace dt::output
