// Sink of -x format=ctf: a Common Trace Format 1.8 trace, which viewers can merge with traces of LTTng.
//
// Events have the same fields as the columns of format csv, with types; stacks and binary data are sequences.
// Aggregation entries are events too. Stack frames are text because readers have neither the processes nor their
// symbols.
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "base/time.hpp"
#include "libdtrace/format/hexdump.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/scalar.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/output/aggregation_order.hpp"
#include "libdtrace/output/ctf_trace.hpp"
#include "libdtrace/output/document.hpp"
#include "libdtrace/output/plain_text.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {
namespace {

class CtfSink final : public Sink {
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
    void stack(const Datum& datum, const uint8_t* data) override { value(datum, data); }
    void symbol(const Datum& datum, const uint8_t* data) override { value(datum, data); }

    /// Writes the arguments of a format as fields, because programs need numbers. A format without arguments becomes
    /// one text field.
    void formatted(const format::BoundFormat& format, const uint8_t* data) override
    {
        if (format.for_each_argument([&](const Datum& datum) { value(datum, data); }))
            return;
        scratch_.clear();
        format.append(scratch_, env_, data);
        event_.text(next_field(), scratch_.view());
    }

    void memory(std::span<const uint8_t> bytes) override { event_.bytes(next_field(), bytes); }
    void packet(const Packet& packet) override { memory(packet.bytes); }

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
    void unprinted(const Aggregation& table) override
    {
        const Aggregation* const one = &table;
        aggregations(Tables(&one, 1));
    }

    void begin_snapshot(uint64_t time) override { snapshot_ = time; }
    void end_snapshot() override { snapshot_.reset(); }

    void gap(const Gap& gap) override { trace_.add_lost(gap.count); }
    /// Adds the losses that no gap() reported.
    void ledger(std::span<const LedgerRow> rows) override
    {
        uint64_t lost = 0;
        for (const LedgerRow& row : rows)
            if (row.kind == LossKind::Lost && row.several == "records")
                lost += row.count;
        if (lost > trace_.lost())
            trace_.add_lost(lost - trace_.lost());
    }

    void error(const ErrorReport& report) override
    {
        CtfEvent event; // not event_: a record may be incomplete
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
            say(output_, {"NOT_WRITTEN", {}, std::string("cannot write metadata: ") + std::strerror(code)},
                json_errors_);
    }

    /// Estimates are printed as text because no events exist yet.
    void estimate(const Estimate& estimate) override { output_.write(estimate_table(estimate)); }
    void detached(double seconds) override { output_.write(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) override
    {
        output_.write(memory_table({parts.begin(), parts.end()}));
    }

private:
    /// Returns a time that is not before the stream's last event; CTF forbids going back.
    uint64_t time_of(uint64_t time) const { return std::max(time, trace_.last()); }

    /// Returns a time for events without one of their own. While records may still arrive, it is the time of the last
    /// event.
    uint64_t present() const
    {
        const uint64_t last = trace_.last();
        return last != 0 && !has_ended_ ? last : time_of(static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)));
    }

    /// Begins an event. A late event (of a committed speculation, or with unsorted output) has its true time in the
    /// field `ns`.
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
        CtfEvent event; // not event_: a record may be incomplete
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
            if (entry == Aggregation::kGone)
                event.text(field, format::kGoneKey);
            else
                add(event, field, datum, table.key(entry));
        }
        add_result(event, table, table.words(entry));
        if (env_.has_estimates && table.schema().may_be_estimated)
            event.number("estimated", 1, 1, false);
        trace_.add(event, time);
    }

    /// Replaces a missing bucket bound by the smallest or largest integer.
    static void add_result(CtfEvent& event, const Aggregation& table, Aggregation::Words words)
    {
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

    /// Writes all parts, even those without any time, so that the fields of an event never vary.
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
    std::optional<uint64_t> record_time_, snapshot_;
    format::Text scratch_;
};

} // namespace

std::unique_ptr<Sink> make_ctf_sink(const SinkOptions& with)
{
    return std::make_unique<CtfSink>(with);
}

} // namespace dt::output
