// Sink of -x format=perfetto: a timeline of threads for Perfetto's trace viewers.
//
// A record is an event on the track of the thread in which the probe fired. An entry record and its return record
// become one interval. So an entry is stored until its return arrives; an entry without a return becomes an event.
// Events need not be in order, because readers sort them.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/time.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/format/wall_clock.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/output_target.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/results/time_series.hpp"

// Writes Perfetto traces: packets of Protocol Buffers that are appended while tracing runs.
//
// A packet refers to earlier packets only by track ids, so even a truncated file can be read up to its end. Field
// numbers come from Perfetto's trace_packet.proto, track_descriptor.proto, track_event.proto and
// debug_annotation.proto.

namespace dt::output {

/// Names and values that viewers display with an event.
class PerfettoArguments {
public:
    void number(std::string_view name, uint64_t value, bool is_signed);
    void text(std::string_view name, std::string_view value);
    void texts(std::string_view name, std::span<const std::string> values);

    struct Bucket {
        int64_t low = 0, high = 0, count = 0; ///< bounds of a bucket (both inclusive), and the bucket's count
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

    static constexpr Track kTracer = 1; ///< id of the track for events that belong to no thread

    explicit PerfettoTrace(Output& output) : output_(output) {}

    /// Writes the clocks and the tracer's track. They must precede all events of a file, so this function must be
    /// called again for each new file.
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
    uint64_t file_ = UINT64_MAX;                     ///< value of Output::files() when begin() was last called
    std::unordered_map<Track, std::string> threads_; ///< names of the threads whose tracks have already been described
    std::unordered_set<Track> others_;               ///< other tracks whose descriptions have already been written
    std::string event_, packet_, framed_;            ///< buffers for packets under construction
};

namespace {

using EventKind = PerfettoTrace::Kind;

constexpr std::size_t kMaxOpenOfThread = 512, kMaxOpen = 1 << 16;
// length in characters of the arrow before the function name in an entry probe's text
constexpr std::size_t kArrow = 4;

std::string_view provider_of(const ProbeText& probe)
{
    return std::string_view(probe.name).substr(0, probe.name.find(':'));
}

/// Returns the probe's name without the final "entry" or "return". The names of a function's two probes are then equal.
std::string_view called(const ProbeText& probe)
{
    const std::size_t word = probe.flow == ProbeText::Flow::Entry ? sizeof "entry" - 1 : sizeof "return" - 1;
    return std::string_view(probe.name).substr(0, probe.name.size() - word);
}

/// An entry record whose return has not arrived yet.
struct OpenCall {
    const ProbeText* probe = nullptr;
    uint64_t time = 0;
    uint32_t clause = 0; ///< statement id of the last clause that recorded data in this firing of the entry probe
    std::size_t values = 0;
    PerfettoArguments arguments;
};

struct OpenThread {
    FiringThread thread;
    std::string name; ///< memory of the thread's name, to which thread.name points
    uint32_t cpu = 0;
    std::vector<OpenCall> calls; ///< calls whose return records have not arrived, innermost call last; never empty
};

class PerfettoSink final : public FieldSink {
public:
    explicit PerfettoSink(const SinkOptions& with) : output_(with.output), env_(with.env), trace_(with.output) {}

    Result<void> open() override { return begin_document(output_, "perfetto"); }

    void begin(const Line& line) override
    {
        begin_file_if_new();
        track_ = trace_.thread(line.thread, line.cpu);
        arguments_.clear();
        prefix_ = line.probe.flow == ProbeText::Flow::Return ? "return_" : "";
        values_ = 0;
        record_time_ = line.time;
        has_entries_ = false;
        const auto open = open_.find(track_);
        continued_ =
            open != open_.end() && goes_on(open->second.calls.back(), line) ? &open->second.calls.back() : nullptr;
        if (continued_)
            values_ = continued_->values;
        else
            arguments_.number(prefix_ + "cpu", line.cpu, false);
    }

    void end(const Line& line) override
    {
        const bool is_only_printa = values_ == 0 && has_entries_;
        record_time_.reset();
        if (!line.printed || is_only_printa)
            return;
        if (continued_) {
            continued_->arguments.append(arguments_);
            continued_->clause = line.stmt;
            continued_->values = values_;
        } else if (line.probe.flow == ProbeText::Flow::Entry) {
            open_call(line);
        } else if (line.probe.flow != ProbeText::Flow::Return || !close_call(line)) {
            trace_.add(EventKind::Instant, track_, line.time, provider_of(line.probe), line.probe.name, arguments_);
        }
    }

    void value(const Datum& datum, const uint8_t* data) override { add(arguments_, next_name(), datum, data); }

    /// Adds the formatted text for human readers, and the arguments of the format for queries.
    void formatted(const format::BoundFormat& format, const uint8_t* data) override
    {
        scratch_.clear();
        format.append(scratch_, env_, data);
        arguments_.text(next_name(), scratch_.view());
        format.for_each_argument([&](const Datum& datum) { value(datum, data); });
    }

    void memory(std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        append_plain_bytes(scratch_, bytes);
        arguments_.text(next_name(), scratch_.view());
    }

    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        format::append_printed(scratch_, pointer, type, bytes);
        arguments_.text(next_name(), scratch_.view());
    }

    void aggregations(Tables tables) override
    {
        begin_file_if_new();
        const uint64_t time = record_time_ ? *record_time_ : snapshot_ ? *snapshot_ : present();
        for_each_entry(tables, env_, [&](const Aggregation& table, uint32_t entry) { add_entry(table, entry, time); });
    }
    void aggregations(Tables tables, std::span<const format::BoundFormat>) override { aggregations(tables); }

    void gap(const LostInterval& gap) override
    {
        PerfettoArguments lost;
        lost.number("count", gap.count, false);
        lost.number("cpu", gap.cpu, false);
        lost.number("ns", gap.to - gap.from, false);
        lost.text("cause", gap.cause);
        tell(gap.to, "lost", lost);
    }

    void error(const ErrorReport& report) override
    {
        PerfettoArguments fault;
        fault.text("probe", report.probe.name);
        fault.text("fault", report.fault);
        fault.text("message", report.text);
        tell(report.time, "error", fault);
    }

    void drop(const DropReport& report) override
    {
        PerfettoArguments drop;
        drop.number("count", report.count, false);
        drop.text("message", report.text);
        tell(present(), report.kind, drop);
    }

    void note(const Note& note) override
    {
        PerfettoArguments message;
        message.text("message", note.text);
        tell(present(), note.tag, message);
    }

    void leave() override { end_calls(); }
    void finish() override
    {
        begin_file_if_new();
        end_calls();
    }

    /// Estimates are printed as text, because a run that only estimates has no events.
    void estimate(const Estimate& estimate) override { output_.write(estimate_table(estimate)); }
    void detached(double seconds) override { output_.write(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) override
    {
        output_.write(memory_table({parts.begin(), parts.end()}));
    }

private:
    static uint64_t present() { return now_monotonic(); }

    void begin_file_if_new()
    {
        if (trace_.file() != output_.files())
            trace_.begin();
    }

    /// Adds an event that belongs to no thread, on the tracer's track.
    void tell(uint64_t time, std::string_view name, const PerfettoArguments& arguments)
    {
        begin_file_if_new();
        trace_.add(EventKind::Instant, PerfettoTrace::kTracer, time, "dtrace", name, arguments);
    }

    std::string next_name() { return prefix_ + "value" + std::to_string(++values_); }

    // ---- calls ----

    /// Returns whether the record belongs to the same firing as the call's entry record, but to a later clause.
    static bool goes_on(const OpenCall& call, const Line& line)
    {
        return call.probe == &line.probe && line.stmt > call.clause;
    }

    void open_call(const Line& line)
    {
        if (count_ >= kMaxOpen)
            end_calls();
        const auto [open, is_new] = open_.try_emplace(track_);
        OpenThread& thread = open->second;
        if (is_new) {
            thread.name = line.thread.name;
            thread.thread = {line.thread.pid, line.thread.tid, thread.name};
            thread.cpu = line.cpu;
            // the thread has so many unfinished calls that its returns are probably not traced, so these calls become
            // events
        } else if (thread.calls.size() >= kMaxOpenOfThread) {
            count_ -= thread.calls.size();
            add_lonely(thread, thread.calls);
            thread.calls.clear();
        }
        thread.calls.push_back({&line.probe, line.time, line.stmt, values_, arguments_});
        ++count_;
    }

    /// Completes the call that this return record ends. Calls made inside this call whose return records have not
    /// arrived become events.
    bool close_call(const Line& line)
    {
        const auto open = open_.find(track_);
        if (open == open_.end())
            return false;
        std::vector<OpenCall>& calls = open->second.calls;
        const auto last = std::find_if(calls.rbegin(), calls.rend(), [&](const OpenCall& each) {
            return called(*each.probe) == called(line.probe) && each.time <= line.time;
        });
        if (last == calls.rend())
            return false;
        const auto call = last.base() - 1;
        add_lonely(open->second, {call + 1, calls.end()});
        const auto function = std::string_view(call->probe->entry).substr(kArrow);
        trace_.add(EventKind::Begin, track_, call->time, provider_of(*call->probe), function, call->arguments);
        trace_.add(EventKind::End, track_, line.time, {}, {}, arguments_);
        count_ -= static_cast<std::size_t>(calls.end() - call);
        calls.erase(call, calls.end());
        if (calls.empty())
            open_.erase(open);
        return true;
    }

    void add_lonely(const OpenThread& of, std::span<const OpenCall> calls)
    {
        // the track is looked up again, because thread() must describe the thread again in a new output file
        const PerfettoTrace::Track track = trace_.thread(of.thread, of.cpu);
        for (const OpenCall& call : calls)
            trace_.add(EventKind::Instant, track, call.time, provider_of(*call.probe), call.probe->name,
                       call.arguments);
    }

    void end_calls()
    {
        for (const auto& [track, thread] : open_)
            add_lonely(thread, thread.calls);
        open_.clear();
        count_ = 0;
    }

    // ---- values ----

    void add(PerfettoArguments& to, const std::string& name, const Datum& datum, const uint8_t* data)
    {
        using Kind = Datum::Kind;
        const bool is_integer = datum.size == 1 || datum.size == 2 || datum.size == 4 || datum.size == 8;
        if (is_integer && (datum.kind == Kind::Signed || datum.kind == Kind::Unsigned))
            return to.number(name, static_cast<uint64_t>(format::load_integer(datum, data)),
                             datum.kind == Kind::Signed);
        if (datum.kind == Kind::Stack || datum.kind == Kind::UserStack) {
            frames_.clear();
            format::for_each_frame(env_, datum, data, Datum::Address::Exact,
                                   [&](std::string_view frame) { frames_.emplace_back(frame); });
            return to.texts(name, frames_);
        }
        scratch_.clear();
        append_plain(scratch_, env_, datum, data);
        to.text(name, scratch_.view());
    }

    /// Adds an entry of an aggregation. A number becomes a point of a counter track, a distribution becomes an event.
    void add_entry(const Aggregation& table, uint32_t entry, uint64_t time)
    {
        has_entries_ = true;
        const std::string name = name_of(table, entry);
        const Aggregation::Words words = table.words(entry);
        if (const std::optional<TimeSeries> series = TimeSeries::of(table.schema())) {
            const auto to_wall = static_cast<int64_t>(clock_.since_epoch(time)) - static_cast<int64_t>(time);
            for (const TimeSeries::Point& point : series->points(words))
                if (!point.words.empty()) // an interval may begin before boot, but CLOCK_MONOTONIC starts at boot
                    trace_.add_count(trace_.counter(name),
                                     static_cast<uint64_t>(std::max<int64_t>(point.time - to_wall, 0)),
                                     number_of(series->function(), point.words, table.divisor));
            return;
        }
        if (!table.shape())
            return trace_.add_count(trace_.counter(name), time, table.number(words));
        PerfettoArguments distribution;
        if (table.shape()->has_parts())
            add_parts(distribution, table, words);
        else
            add_buckets(distribution, table, words);
        trace_.add(EventKind::Instant, PerfettoTrace::kTracer, time, "aggregation", name, distribution);
    }

    static void add_parts(PerfettoArguments& to, const Aggregation& table, Aggregation::Words parts)
    {
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (parts[i] != 0)
                to.number(table.shape()->label(i), static_cast<uint64_t>(format::divided(parts[i], table.divisor)),
                          true);
    }

    static void add_buckets(PerfettoArguments& to, const Aggregation& table, Aggregation::Words words)
    {
        using Limits = std::numeric_limits<int64_t>;
        std::vector<PerfettoArguments::Bucket> buckets;
        for (std::size_t i = 0; i < table.shape()->size(); ++i) {
            const auto& bounds = table.shape()->bounds(i);
            if (words[i] != 0)
                buckets.push_back({bounds.low.value_or(Limits::min()), bounds.high.value_or(Limits::max()),
                                   format::divided(words[i], table.divisor)});
        }
        to.buckets(table.schema().function->name, buckets);
    }

    std::string name_of(const Aggregation& table, uint32_t entry)
    {
        format::Text name;
        name.append("@");
        name.append(table.schema().name == "_" ? "" : table.schema().name);
        for (std::size_t i = 0; i < table.schema().keys.size(); ++i) {
            name.append(i == 0 ? "[" : ",");
            if (entry == Aggregation::kExpired)
                name.append(format::kGoneKey);
            else
                append_plain(name, env_, table.schema().keys[i], table.key(entry));
        }
        if (!table.schema().keys.empty())
            name.append("]");
        return std::string(name.view());
    }

    Output& output_;
    const format::Environment& env_;
    WallClock clock_;
    PerfettoTrace trace_;
    /// threads with entry records whose return records have not arrived
    std::unordered_map<PerfettoTrace::Track, OpenThread> open_;
    std::size_t count_ = 0;                               ///< number of calls of all threads in `open_`
    PerfettoTrace::Track track_ = PerfettoTrace::kTracer; ///< track of the current record
    /// call whose entry record was written in the same firing as the current record, or null
    OpenCall* continued_ = nullptr;
    PerfettoArguments arguments_;
    std::string prefix_;
    std::size_t values_ = 0;
    bool has_entries_ = false;
    std::optional<uint64_t> record_time_;
    format::Text scratch_;
    std::vector<std::string> frames_;
};

} // namespace

std::unique_ptr<Sink> make_perfetto_sink(const SinkOptions& with)
{
    return std::make_unique<PerfettoSink>(with);
}

// Encodes Perfetto's messages; the constants are their field numbers.

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

constexpr uint32_t kRealtime = 1, kMonotonic = 3, kBoottime = 6; // Perfetto's values of BuiltinClock
constexpr uint32_t kSequenceId = 1;                              // id of the packet sequence; the trace has only one
// Perfetto's SEQ_INCREMENTAL_STATE_CLEARED: the packet does not depend on earlier ones
constexpr uint32_t kBeginsAnew = 1;
constexpr int kCounterEvent = 4; // Perfetto's value of TrackEvent.Type for counters

// The ids of different kinds of tracks differ in their highest bits, so they are never equal.
constexpr uint64_t kThreadTracks = uint64_t{1} << 62, kProcessTracks = uint64_t{1} << 61,
                   kIdleTracks = uint64_t{1} << 60, kCounterTracks = uint64_t{1} << 63;

// maximum number of tracks to remember; the memory is limited because a trace may run for months
constexpr std::size_t kMaxTracks = 1 << 16;

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
    if (threads_.size() >= kMaxTracks)
        threads_.clear();
    const auto [known, is_new] = threads_.try_emplace(track, thread.name);
    if (is_new || known->second != thread.name) {
        known->second = thread.name;
        describe_thread(track, thread);
    }
    return track;
}

/// Describes a thread's track. The name of the main thread is also written as the name of the process.
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
    if (others_.size() >= kMaxTracks)
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
        event_.append(arguments.encoded()); // `arguments` already contains encoded fields
    });
}

void PerfettoTrace::add_count(Track track, uint64_t time, int64_t value)
{
    add_event(kCounterEvent, track, time, [&](MessageWriter& event) { event.add_int64(event_field::kCount, value); });
}

} // namespace dt::output
