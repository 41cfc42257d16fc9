// Sink of -x format=perfetto: a timeline of threads for Perfetto's trace viewers.
//
// A record is an event on the track of the thread whose firing it was. A pair of entry and return records becomes an
// interval. It is complete when the return arrives, so an entry is held back until then; entries without a return
// become events. Readers sort events themselves.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/time.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/scalar.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/output/aggregation_order.hpp"
#include "libdtrace/output/document.hpp"
#include "libdtrace/output/perfetto_trace.hpp"
#include "libdtrace/output/plain_text.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {
namespace {

using EventKind = PerfettoTrace::Kind;

constexpr std::size_t kMostOpenOfThread = 512, kMostOpen = 1 << 16;
constexpr std::size_t kArrow = 4; // length of the arrow before the function in ProbeText::entry

std::string_view provider_of(const ProbeText& probe)
{
    return std::string_view(probe.name).substr(0, probe.name.find(':'));
}

/// Returns the probe's name without the final "entry" or "return", so that both probes of a function compare equal.
std::string_view called(const ProbeText& probe)
{
    const std::size_t word = probe.flow == ProbeText::Flow::Entry ? sizeof "entry" - 1 : sizeof "return" - 1;
    return std::string_view(probe.name).substr(0, probe.name.size() - word);
}

/// An entry record that waits for its return.
struct OpenCall {
    const ProbeText* probe = nullptr;
    uint64_t time = 0;
    uint32_t clause = 0; ///< last clause that recorded for this firing
    std::size_t values = 0;
    PerfettoArguments arguments;
};

struct OpenThread {
    FiringThread thread;
    std::string name; ///< storage of thread.name
    uint32_t cpu = 0;
    std::vector<OpenCall> calls; ///< innermost last; never empty
};

class PerfettoSink final : public Sink {
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
    void stack(const Datum& datum, const uint8_t* data) override { value(datum, data); }
    void symbol(const Datum& datum, const uint8_t* data) override { value(datum, data); }

    /// Adds the formatted text for human readers and the arguments for queries.
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
    void packet(const Packet& packet) override { memory(packet.bytes); }

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
    void unprinted(const Aggregation& table) override
    {
        const Aggregation* const one = &table;
        aggregations(Tables(&one, 1));
    }

    void begin_snapshot(uint64_t time) override { snapshot_ = time; }
    void end_snapshot() override { snapshot_.reset(); }

    void gap(const Gap& gap) override
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

    /// Estimates are printed as text because no events exist yet.
    void estimate(const Estimate& estimate) override { output_.write(estimate_table(estimate)); }
    void detached(double seconds) override { output_.write(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) override
    {
        output_.write(memory_table({parts.begin(), parts.end()}));
    }

private:
    static uint64_t present() { return static_cast<uint64_t>(now_ns(CLOCK_MONOTONIC)); }

    void begin_file_if_new()
    {
        if (trace_.file() != output_.files())
            trace_.begin();
    }

    /// Adds an event that belongs to no thread.
    void tell(uint64_t time, std::string_view name, const PerfettoArguments& arguments)
    {
        begin_file_if_new();
        trace_.add(EventKind::Instant, PerfettoTrace::kTracer, time, "dtrace", name, arguments);
    }

    std::string next_name() { return prefix_ + "value" + std::to_string(++values_); }

    // ---- calls ----

    /// Returns whether the line is a further clause of the same entry.
    static bool goes_on(const OpenCall& call, const Line& line)
    {
        return call.probe == &line.probe && line.stmt > call.clause;
    }

    void open_call(const Line& line)
    {
        if (count_ >= kMostOpen)
            end_calls();
        const auto [open, is_new] = open_.try_emplace(track_);
        OpenThread& thread = open->second;
        if (is_new) {
            thread.name = line.thread.name;
            thread.thread = {line.thread.pid, line.thread.tid, thread.name};
            thread.cpu = line.cpu;
        } else if (thread.calls.size() >= kMostOpenOfThread) { // returns of so many calls are probably not traced
            count_ -= thread.calls.size();
            add_lonely(thread, thread.calls);
            thread.calls.clear();
        }
        thread.calls.push_back({&line.probe, line.time, line.stmt, values_, arguments_});
        ++count_;
    }

    /// Completes the call that this return ends. Inner calls that are still open have returned unseen and become
    /// events.
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
        const PerfettoTrace::Track track = trace_.thread(of.thread, of.cpu); // the file may be new
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

    /// Adds an entry: a number as a point of a counter track, a distribution as an event.
    void add_entry(const Aggregation& table, uint32_t entry, uint64_t time)
    {
        has_entries_ = true;
        const std::string name = name_of(table, entry);
        const Aggregation::Words words = table.words(entry);
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
            if (entry == Aggregation::kGone)
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
    PerfettoTrace trace_;
    std::unordered_map<PerfettoTrace::Track, OpenThread> open_; ///< threads with entries that wait for their returns
    std::size_t count_ = 0;                                     ///< number of calls in `open_`
    PerfettoTrace::Track track_ = PerfettoTrace::kTracer;       ///< track of the current record
    OpenCall* continued_ = nullptr;                             ///< call that the current record continues
    PerfettoArguments arguments_;
    std::string prefix_;
    std::size_t values_ = 0;
    bool has_entries_ = false;
    std::optional<uint64_t> record_time_, snapshot_;
    format::Text scratch_;
    std::vector<std::string> frames_;
};

} // namespace

std::unique_ptr<Sink> make_perfetto_sink(const SinkOptions& with)
{
    return std::make_unique<PerfettoSink>(with);
}

} // namespace dt::output
