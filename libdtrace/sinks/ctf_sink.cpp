// Sink of -x format=ctf: a Common Trace Format 1.8 trace, which viewers can merge with traces of LTTng.
//
// The fields of events are the columns of format csv, with types. Stacks and binary data are sequences. Aggregation
// entries are events too. Stack frames are text, because readers can access neither the traced processes nor their
// symbols.
#include <sys/utsname.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/time.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/output_target.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/results/time_series.hpp"

// Builds an event of the Common Trace Format 1.8: its bytes, and the description of these bytes in the format's own
// language (TSDL).
//
// CTF requires a description of every event class with its fields and types. These are known only when a record
// arrives: a clause may record data inside an `if`, and bytes may be text or binary. So a description is built with
// each event, and events with equal descriptions belong to one class.

namespace dt::output {

/// Appends the text as a quoted TSDL string.
void append_tsdl_string(std::string& out, std::string_view text);

class CtfEvent {
public:
    void begin(std::string_view name)
    {
        kind_.clear();
        append_tsdl_string(kind_, name);
        kind_.append(";\n");
        bytes_.clear();
    }
    /// Members that are added between begin_context() and end_context() are the event's optional context. Members that
    /// are added after begin_fields() are its fields.
    void begin_context() { kind_.append("\tcontext := struct {"); }
    void end_context() { kind_.append(" };\n"); }
    void begin_fields() { kind_.append("\tfields := struct {"); }

    /// Appends an integer field that contains the low `size` bytes of the value; `size` is 1, 2, 4 or 8.
    void number(std::string_view field, uint64_t value, unsigned size, bool is_signed);
    void text(std::string_view field, std::string_view text);
    void bytes(std::string_view field, std::span<const uint8_t> bytes);

    /// Begins a sequence. The caller adds each member of each element with add_text() or add_number(), and passes the
    /// number of elements to end_sequence().
    void begin_sequence(std::string_view field, std::string_view element);
    void add_text(std::string_view text);
    void add_number(int64_t value) { append_integer(value); }
    void end_sequence(uint32_t elements) { std::memcpy(bytes_.data() + length_, &elements, sizeof elements); }

    /// Returns the TSDL description of the event class: name, context and fields. Must be called after all fields were
    /// added.
    const std::string& kind() const { return kind_; }
    const std::string& encoded() const { return bytes_; }

private:
    template <typename Integer> void append_integer(Integer value)
    {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }

    std::string kind_, bytes_;
    std::size_t length_ = 0; ///< offset of the current sequence's length in `bytes_`
};

// Writes a Common Trace Format 1.8 trace, which is a folder with a stream of packets and the metadata that describe
// them.
//
// Only a packet's header can report lost events, so a new packet begins wherever events were lost.

class CtfTrace {
public:
    /// Creates a writer that writes packets to `stream`, which must outlive this object, and metadata to a separate
    /// file.
    explicit CtfTrace(Output& stream) : stream_(stream) {}

    /// Writes the constant part of the metadata. The error message is complete; the caller adds no prefix.
    Result<void> open(const std::string& folder, const Labels& labels);

    /// Appends an event. `time` (CLOCK_MONOTONIC ns) must not be before last().
    void add(const CtfEvent& event, uint64_t time);
    /// Adds `count` lost events. They were lost after the last added event and before the next one (or the end of the
    /// trace).
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
    std::unordered_map<std::string, uint32_t> classes_; ///< for each event description, the id of its event class
    std::string packet_;                                ///< events of the current packet
    uint64_t begin_ = 0, last_ = 0;                     ///< times of the first and the last event of the current packet
    uint64_t packets_ = 0;
    uint64_t lost_ = 0;           ///< events lost since the trace began
    bool is_behind_loss_ = false; ///< whether events were lost just before the first event of the current packet
};

namespace {

class CtfSink final : public FieldSink {
public:
    explicit CtfSink(const SinkOptions& with)
        : output_(with.output), env_(with.env), json_errors_(with.options.errors_json), trace_(with.output)
    {
    }

    Result<void> open() override
    {
        if (Result<void> begun = begin_folder(output_, "ctf"); !begun)
            return begun;
        return trace_.open(output_.folder(), env_.options.labels);
    }

    void begin(const Line& line) override
    {
        begin(event_, line.probe.name, line.time, line.cpu, line.stmt);
        recorded_ = 0;
        record_time_ = line.time;
        has_entries_ = false;
    }

    void end(const Line& line) override
    {
        const bool is_only_printa = recorded_ == 0 && has_entries_;
        if (line.printed && !is_only_printa)
            trace_.add(event_, time_of(line.time));
        record_time_.reset();
    }

    void value(const Datum& datum, const uint8_t* data) override { add(event_, next_field(), datum, data); }

    /// Writes each argument of a format as a field, because readers need numbers and not formatted text. A format
    /// without arguments becomes one text field.
    void formatted(const format::BoundFormat& format, const uint8_t* data) override
    {
        if (format.for_each_argument([&](const Datum& datum) { value(datum, data); }))
            return;
        scratch_.clear();
        format.append(scratch_, env_, data);
        event_.text(next_field(), scratch_.view());
    }

    void memory(std::span<const uint8_t> bytes) override { event_.bytes(next_field(), bytes); }

    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        format::append_printed(scratch_, pointer, type, bytes);
        event_.text(next_field(), scratch_.view());
    }

    void aggregations(Tables tables) override
    {
        const uint64_t time = record_time_ ? time_of(*record_time_) : present();
        for_each_entry(tables, env_, [&](const Aggregation& table, uint32_t entry) { add_entry(table, entry, time); });
    }
    void aggregations(Tables tables, std::span<const format::BoundFormat>) override { aggregations(tables); }

    void gap(const LostInterval& gap) override { trace_.add_lost(gap.count); }
    /// Adds to the trace the losses that no call of gap() has reported.
    void losses(std::span<const DropRow> rows) override
    {
        uint64_t lost = 0;
        for (const DropRow& row : rows)
            if (row.kind == LossKind::Lost && row.several == "records")
                lost += row.count;
        if (lost > trace_.lost())
            trace_.add_lost(lost - trace_.lost());
    }

    void error(const ErrorReport& report) override
    {
        CtfEvent event; // a separate event is used, because event_ may contain an incomplete record
        begin(event, "dtrace:error", report.time, report.cpu, report.stmt);
        event.text("probe", report.probe.name);
        event.text("fault", report.fault);
        event.text("message", report.text);
        trace_.add(event, time_of(report.time));
    }

    void drop(const DropReport& report) override { add_message("dtrace:drop", report.kind, report.count, report.text); }
    void note(const Note& note) override { add_message("dtrace:note", note.tag, std::nullopt, note.text); }

    void end_of_records() override { has_ended_ = true; }
    void leave() override { finish(); }
    void finish() override
    {
        if (const int code = trace_.finish(); code != 0)
            print_message(output_, {"NOT_WRITTEN", {}, std::string("cannot write metadata: ") + std::strerror(code)},
                          json_errors_);
    }

    /// Estimates are printed as text, because a run that only estimates has no events.
    void estimate(const Estimate& estimate) override { output_.write(estimate_table(estimate)); }
    void detached(double seconds) override { output_.write(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) override
    {
        output_.write(memory_table({parts.begin(), parts.end()}));
    }

private:
    /// Returns `time`, or the time of the stream's last event if that is later, because times in a CTF stream must not
    /// decrease.
    uint64_t time_of(uint64_t time) const { return std::max(time, trace_.last()); }

    /// Returns a time for an event without a time of its own. This is the time of the last event while records may
    /// still arrive, else the present time.
    uint64_t present() const
    {
        const uint64_t last = trace_.last();
        return last != 0 && !has_ended_ ? last : time_of(now_monotonic());
    }

    /// Begins an event. An event may be late, because of a speculation or because the output is not sorted by time. If
    /// so, the field `ns` contains its true time.
    void begin(CtfEvent& event, std::string_view name, uint64_t time, uint32_t cpu, uint32_t clause) const
    {
        event.begin(name);
        event.begin_context();
        event.number("cpu_id", cpu, 4, false);
        event.number("clause", clause, 4, false);
        if (time < trace_.last())
            event.number("ns", time, 8, false);
        event.end_context();
        event.begin_fields();
    }

    void add_message(std::string_view name, std::string_view tag, std::optional<uint64_t> count, std::string_view text)
    {
        CtfEvent event; // a separate event is used, because event_ may contain an incomplete record
        event.begin(name);
        event.begin_fields();
        event.text("tag", tag);
        if (count)
            event.number("count", *count, 8, false);
        event.text("message", text);
        trace_.add(event, present());
    }

    std::string next_field() { return "value" + std::to_string(++recorded_); }

    void add(CtfEvent& event, const std::string& field, const Datum& datum, const uint8_t* data)
    {
        using Kind = Datum::Kind;
        const bool is_integer = datum.size == 1 || datum.size == 2 || datum.size == 4 || datum.size == 8;
        if (is_integer && (datum.kind == Kind::Signed || datum.kind == Kind::Unsigned))
            return event.number(field, static_cast<uint64_t>(format::load_integer(datum, data)), datum.size,
                                datum.kind == Kind::Signed);
        if (datum.kind == Kind::Stack || datum.kind == Kind::UserStack)
            return add_stack(event, field, datum, data);
        const std::span<const uint8_t> bytes(data + datum.offset, datum.size);
        const bool is_bytes = datum.kind == Kind::Bytes || datum.kind == Kind::Signed || datum.kind == Kind::Unsigned;
        if (is_bytes && !format::looks_like_text(bytes))
            return event.bytes(field, bytes);
        scratch_.clear();
        append_plain(scratch_, env_, datum, data);
        event.text(field, scratch_.view());
    }

    void add_stack(CtfEvent& event, const std::string& field, const Datum& datum, const uint8_t* data) const
    {
        uint32_t frames = 0;
        event.begin_sequence(field, "string");
        format::for_each_frame(env_, datum, data, Datum::Address::Exact, [&](std::string_view frame) {
            event.add_text(frame);
            ++frames;
        });
        event.end_sequence(frames);
    }

    void add_entry(const Aggregation& table, uint32_t entry, uint64_t time)
    {
        has_entries_ = true;
        CtfEvent& event = entry_;
        event.begin("@" + table.schema().name);
        event.begin_fields();
        if (snapshot_)
            event.number("ns", *snapshot_, 8, false);
        std::size_t keys = 0;
        for (const Datum& datum : table.schema().keys) {
            const std::string field = "key" + std::to_string(++keys);
            if (entry == Aggregation::kExpired)
                event.text(field, format::kGoneKey);
            else
                add(event, field, datum, table.key(entry));
        }
        add_result(event, table, table.words(entry));
        if (env_.has_estimates && table.schema().may_be_estimated)
            event.number("estimated", 1, 1, false);
        trace_.add(event, time);
    }

    /// Adds the value of an aggregation. For a bucket without a lower or upper bound, writes the smallest or largest
    /// integer as the bound.
    static void add_result(CtfEvent& event, const Aggregation& table, Aggregation::Words words)
    {
        if (const std::optional<TimeSeries> series = TimeSeries::of(table.schema())) {
            uint32_t points = 0;
            event.begin_sequence("intervals", "struct { int64_t time; int64_t value; }");
            for (const TimeSeries::Point& point : series->points(words)) {
                if (point.words.empty())
                    continue;
                ++points;
                event.add_number(point.time);
                event.add_number(number_of(series->function(), point.words, table.divisor));
            }
            return event.end_sequence(points);
        }
        if (!table.shape())
            return event.number(table.schema().function->name, static_cast<uint64_t>(table.number(words)), 8,
                                table.schema().function->kind != AggKind::Stddev);
        using Limits = std::numeric_limits<int64_t>;
        if (table.shape()->has_parts())
            return add_parts(event, table, words);
        uint32_t buckets = 0;
        event.begin_sequence("buckets", "struct { int64_t low; int64_t high; int64_t count; }");
        for (std::size_t i = 0; i < table.shape()->size(); ++i) {
            if (words[i] == 0)
                continue;
            ++buckets;
            const auto& bounds = table.shape()->bounds(i);
            for (const int64_t number : {bounds.low.value_or(Limits::min()), bounds.high.value_or(Limits::max()),
                                         format::divided(words[i], table.divisor)})
                event.add_number(number);
        }
        event.end_sequence(buckets);
    }

    /// Writes all parts of a breakdown(), even parts that are 0, so that all events have the same fields.
    static void add_parts(CtfEvent& event, const Aggregation& table, Aggregation::Words parts)
    {
        for (std::size_t i = 0; i < parts.size(); ++i)
            event.number(table.shape()->label(i), static_cast<uint64_t>(format::divided(parts[i], table.divisor)), 8,
                         true);
    }

    Output& output_;
    const format::Environment& env_;
    bool json_errors_;
    CtfTrace trace_;
    CtfEvent event_; ///< event of the current record
    CtfEvent entry_; ///< event of an aggregation entry
    std::size_t recorded_ = 0;
    bool has_entries_ = false, has_ended_ = false;
    std::optional<uint64_t> record_time_;
    format::Text scratch_;
};

} // namespace

std::unique_ptr<Sink> make_ctf_sink(const SinkOptions& with)
{
    return std::make_unique<CtfSink>(with);
}

// Decides where a packet ends: when it has reached a size or covers a second, and before and after a loss.

namespace {

constexpr std::size_t kLargePacket = 64 * 1024;
constexpr uint64_t kLongPacket = kSecond;
constexpr uint32_t kCtfMagic = 0xC1FC1FC1;

/// Header of a packet, as described in the metadata.
struct [[gnu::packed]] PacketHead {
    uint32_t magic = kCtfMagic, stream = 0;
    uint64_t begin = 0, end = 0;      ///< begin and end of the packet (CLOCK_MONOTONIC ns)
    uint64_t content = 0, packet = 0; ///< sizes of the content and of the packet in bits, including this header
    /// number of events that were lost between the start of the trace and the end of the packet
    uint64_t lost = 0;
    uint64_t number = 0;
};

constexpr std::string_view kCtfTypes = R"(/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 8; align = 8; signed = true; } := int8_t;
typealias integer { size = 16; align = 8; signed = true; } := int16_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;

)";

constexpr std::string_view kCtfStream =
    R"(typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := monotonic_t;

stream {
	id = 0;
	packet.context := struct {
		monotonic_t timestamp_begin;
		monotonic_t timestamp_end;
		uint64_t content_size;
		uint64_t packet_size;
		uint64_t events_discarded;
		uint64_t packet_seq_num;
	};
	event.header := struct {
		uint32_t id;
		monotonic_t timestamp;
	};
};

)";

void append_variable(std::string& out, std::string_view name, std::string_view value)
{
    out.append("\t").append(name).append(" = ");
    append_tsdl_string(out, value);
    out.append(";\n");
}

/// Replaces characters in label names that TSDL identifiers may not contain.
std::string tsdl_name(std::string name)
{
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    return name;
}

std::string ctf_environment(const Labels& labels)
{
    std::string out = "env {\n";
    append_variable(out, "tracer_name", "dtrace");
    if (utsname system{}; uname(&system) == 0) {
        append_variable(out, "hostname", system.nodename);
        append_variable(out, "kernel_release", system.release);
    }
    for (const auto& [name, value] : labels)
        append_variable(out, "label_" + tsdl_name(name), value);
    return out.append("};\n\n");
}

/// Describes the clock with the name that LTTng uses and with the boot ID as its UUID, so that readers can merge this
/// trace with LTTng's.
std::string ctf_clock()
{
    std::string out = "clock {\n\tname = monotonic;\n", boot;
    if (std::ifstream file("/proc/sys/kernel/random/boot_id"); std::getline(file, boot))
        append_variable(out, "uuid", boot);
    const int64_t monotonic = now_ns(CLOCK_MONOTONIC), offset = now_ns(CLOCK_REALTIME) - monotonic;
    append_variable(out, "description", "CLOCK_MONOTONIC");
    out.append("\tfreq = 1000000000;\n\toffset_s = ").append(std::to_string(offset / static_cast<int64_t>(kSecond)));
    out.append(";\n\toffset = ").append(std::to_string(offset % static_cast<int64_t>(kSecond))).append(";\n};\n\n");
    return out;
}

void append_raw(std::string& out, const void* bytes, std::size_t size)
{
    out.append(static_cast<const char*>(bytes), size);
}

} // namespace

Result<void> CtfTrace::open(const std::string& folder, const Labels& labels)
{
    const std::string path = folder + "/metadata";
    const Result<void> opened = metadata_.open(path);
    if (!opened)
        return Error{"cannot write " + path + ": " + opened.error().message, opened.error().code};
    if (!metadata_.file_is_empty())
        return Error{folder + " already contains a trace", EEXIST};
    metadata_.enable_retry();
    metadata_.write(kCtfTypes);
    metadata_.write("trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = ");
    metadata_.write(std::endian::native == std::endian::little ? "le" : "be");
    metadata_.write(";\n\tpacket.header := struct {\n\t\tuint32_t magic;\n\t\tuint32_t stream_id;\n\t};\n};\n\n");
    metadata_.write(ctf_environment(labels));
    metadata_.write(ctf_clock());
    metadata_.write(kCtfStream);
    metadata_.drain();
    metadata_.offer();
    return {};
}

uint32_t CtfTrace::class_of(const CtfEvent& event)
{
    const auto [known, is_new] = classes_.try_emplace(event.kind(), static_cast<uint32_t>(classes_.size()));
    if (is_new) {
        metadata_.write("event {\n\tid = " + std::to_string(known->second) + ";\n\tstream_id = 0;\n\tname = ");
        metadata_.write(event.kind());
        metadata_.write(" };\n};\n\n");
        metadata_.drain();
    }
    return known->second;
}

void CtfTrace::add(const CtfEvent& event, uint64_t time)
{
    // Writes an empty first packet, because readers do not count losses before the end of the first packet.
    if (packets_ == 0 && packet_.empty()) {
        begin_ = last_ = time;
        write_packet(0);
    }
    if (packet_.size() >= kLargePacket || (!packet_.empty() && time - begin_ >= kLongPacket))
        end_packet();
    if (packet_.empty())
        begin_ = time;
    const uint32_t number = class_of(event);
    append_raw(packet_, &number, sizeof number);
    append_raw(packet_, &time, sizeof time);
    packet_.append(event.encoded());
    last_ = time;
    if (is_behind_loss_)
        end_packet();
}

void CtfTrace::add_lost(uint64_t count)
{
    if (!is_behind_loss_)
        end_packet();
    lost_ += count;
    is_behind_loss_ = true;
}

void CtfTrace::end_packet()
{
    if (packet_.empty())
        return;
    write_packet(lost_);
    is_behind_loss_ = false;
}

/// Writes a packet. The metadata that describe its events are written before it, so that readers can decode the packet
/// at any time.
void CtfTrace::write_packet(uint64_t lost)
{
    metadata_.offer();
    PacketHead head;
    head.begin = begin_;
    head.end = last_;
    head.content = head.packet = 8 * (sizeof head + packet_.size());
    head.lost = lost;
    head.number = packets_++;
    stream_.write({reinterpret_cast<const char*>(&head), sizeof head});
    stream_.write(packet_);
    stream_.drain();
    packet_.clear();
}

int CtfTrace::finish()
{
    end_packet();
    if (packets_ == 0 || is_behind_loss_) {
        if (packets_ == 0) {
            begin_ = last_ = now_monotonic();
            write_packet(0);
        }
        begin_ = last_ = std::max(last_, now_monotonic());
        write_packet(lost_);
        is_behind_loss_ = false;
    }
    return metadata_.settle();
}

// Encodes integers in this machine's byte order, which the metadata state. All fields are byte-aligned.

void append_tsdl_string(std::string& out, std::string_view text)
{
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
    out += '"';
}

void CtfEvent::number(std::string_view field, uint64_t value, unsigned size, bool is_signed)
{
    kind_.append(is_signed ? " int" : " uint").append(std::to_string(size * 8)).append("_t ").append(field).append(";");
    switch (size) {
    case 1:
        return append_integer(static_cast<uint8_t>(value));
    case 2:
        return append_integer(static_cast<uint16_t>(value));
    case 4:
        return append_integer(static_cast<uint32_t>(value));
    default:
        return append_integer(value);
    }
}

void CtfEvent::text(std::string_view field, std::string_view text)
{
    kind_.append(" string ").append(field).append(";");
    add_text(text);
}

/// Appends a string field: the text and a NUL.
void CtfEvent::add_text(std::string_view text)
{
    bytes_.append(text.substr(0, text.find('\0')));
    bytes_ += '\0';
}

void CtfEvent::bytes(std::string_view field, std::span<const uint8_t> bytes)
{
    begin_sequence(field, "uint8_t");
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    end_sequence(static_cast<uint32_t>(bytes.size()));
}

/// Begins a sequence with a field that contains its length. The name of that field begins with two underscores, as in
/// LTTng, because readers remove one of them.
void CtfEvent::begin_sequence(std::string_view field, std::string_view element)
{
    const std::string length = "__" + std::string(field) + "_length";
    kind_.append(" uint32_t ").append(length).append("; ").append(element).append(" ").append(field);
    kind_.append("[").append(length).append("];");
    length_ = bytes_.size();
    append_integer(uint32_t{0});
}

} // namespace dt::output
