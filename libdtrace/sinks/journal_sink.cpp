// Sink of -x format=journal: entries of systemd's journal, with a field for each searchable value.
//
// The output of a tracer that runs for months must be stored, rotated, limited in size, and searched. The journal does
// that, and many machines have it. The message of an entry is the line of the text output without its leading columns;
// all other values are fields.
#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "libdtrace/format/histogram.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/results/time_series.hpp"
#include "libdtrace/sinks/journal_sink.hpp"

namespace dt::output {
namespace {

constexpr const char* kJournalSocket = "/run/systemd/journal/socket";

/// Severity numbers of syslog(3).
enum class Priority : uint8_t { Warning = 4, Info = 6 };

/// Removes leading and trailing newlines, because the journal separates entries itself.
std::string_view without_line_ends(std::string_view text)
{
    while (text.starts_with('\n'))
        text.remove_prefix(1);
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    return text;
}

/// Returns the name in upper case, because field names may not contain lower-case letters (systemd.journal-fields(7)).
std::string upper_case(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return name;
}

class JournalSink final : public FieldSink {
    using Text = format::Text;

public:
    explicit JournalSink(const SinkOptions& with) : output_(with.output), env_(with.env) {}

    Result<void> open() override
    {
        if (output_.is_connected())
            return {};
        if (output_.has_file())
            return Error{"format journal writes to a socket, but -o names a file", EINVAL};
        const Result<void> connected = output_.connect(kJournalSocket);
        if (!connected)
            return Error{std::string("cannot write to the journal (") + kJournalSocket +
                             "): " + connected.error().message,
                         connected.error().code};
        return {};
    }

    void begin(const Line& line) override
    {
        fields_.clear();
        message_.clear();
        values_ = 0;
        add_origin(fields_, line.time, line.cpu, line.probe, line.stmt);
    }

    void end(const Line& line) override
    {
        const std::string_view message = without_line_ends(message_.view());
        if (line.printed && !(env_.options.quiet && message.empty()))
            write(Priority::Info, message.empty() ? std::string_view(line.probe.name) : message, fields_);
        for (const std::string& entry : after_)
            output_.write_entry(entry);
        after_.clear();
    }

    void value(const Datum& datum, const uint8_t* data) override
    {
        add_value(datum, data);
        print_message(scratch_.view());
    }

    void formatted(const format::BoundFormat& format, const uint8_t* data) override
    {
        format.append(message_, env_, data);
        format.for_each_argument([&](const Datum& datum) { add_value(datum, data); });
    }

    void memory(std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        append_plain_bytes(scratch_, bytes);
        add_value_field();
        format::append_hexdump(message_, bytes);
    }

    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        format::append_printed(scratch_, pointer, type, bytes);
        add_value_field();
        print_message(scratch_.view());
    }

    void aggregations(Tables tables) override
    {
        for_each_key(tables, [this] { after_.emplace_back(entry_.view()); });
    }
    void aggregations(Tables tables, std::span<const format::BoundFormat>) override { aggregations(tables); }

    void unprinted(const Aggregation& table) override
    {
        const Aggregation* const one = &table;
        for_each_key(Tables(&one, 1), [this] { output_.write_entry(entry_.view()); });
    }

    void error(const ErrorReport& report) override
    {
        JournalEntry fields;
        add_origin(fields, report.time, report.cpu, report.probe, report.stmt);
        fields.add("DTRACE_TAG", "FAULT");
        if (!report.fault.empty())
            fields.add("DTRACE_FAULT", report.fault);
        if (report.repeated != 0)
            fields.add("DTRACE_COUNT", report.repeated);
        write(Priority::Warning, report.text, fields);
    }

    void drop(const DropReport& report) override
    {
        JournalEntry fields;
        fields.add("DTRACE_TAG", report.kind);
        fields.add("DTRACE_COUNT", report.count);
        if (report.cpu >= 0)
            fields.add("DTRACE_CPU", report.cpu);
        write(Priority::Warning, report.text, fields);
    }

    void note(const Note& note) override
    {
        JournalEntry fields;
        fields.add("DTRACE_TAG", note.tag);
        for (const auto& [name, number] : note.numbers)
            fields.add(journal_field(name), number);
        write(Priority::Warning, note.text, fields);
    }

    void gap(const LostInterval& gap) override
    {
        JournalEntry fields;
        fields.add("DTRACE_TAG", "GAP");
        fields.add("DTRACE_CAUSE", gap.cause);
        fields.add("DTRACE_COUNT", gap.count);
        fields.add("DTRACE_CPU", gap.cpu);
        fields.add("DTRACE_FROM", gap.from);
        fields.add("DTRACE_TO", gap.to);
        write(Priority::Warning, lost_interval_text(gap, false), fields);
    }

    void losses(std::span<const DropRow> rows) override
    {
        for (const DropRow& row : rows) {
            if (!row.countable && row.count == 0)
                continue;
            JournalEntry fields;
            fields.add("DTRACE_TAG", "LOSSES");
            fields.add("DTRACE_CAUSE", row.cause);
            fields.add("DTRACE_KIND", name_of_kind(row.kind));
            fields.add("DTRACE_COUNT", row.count);
            const std::string message = grouped(row.count) + " " + std::string(row.count == 1 ? row.one : row.several) +
                                        " (" + std::string(row.text) + ")";
            const bool is_lost = row.count != 0 && row.kind != LossKind::Wanted;
            write(is_lost ? Priority::Warning : Priority::Info, message, fields);
        }
    }

    void firings(std::span<const HitCounts> clauses, std::span<const HitCounts> probes) override
    {
        for (const auto& [tag, rows] : {std::pair("CLAUSE_HITS", clauses), std::pair("HITS", probes)})
            for (const HitCounts& row : rows)
                write_counts(tag, row.name,
                             {{"fired", row.fired},
                              {"filtered", row.filtered},
                              {"recorded", row.recorded},
                              {"lost", row.lost},
                              {"sampled_out", row.sampled_out}});
    }

    void costs(const CostReport& report) override
    {
        const auto ns = [](double time) { return static_cast<uint64_t>(time + 0.5); };
        for (const auto& [tag, rows] : {std::pair("CLAUSE_COST", &report.clauses), std::pair("COST", &report.probes),
                                        std::pair("OTHER_COST", &report.others)})
            for (const Cost& row : *rows)
                write_counts(
                    tag, row.name,
                    {{"fired", row.fired}, {"mean_ps", ns(row.program.mean * 1000)}, {"total", ns(row.total())}});
        write_counts("TRACER_COST", "tracer",
                     {{"elapsed", report.elapsed},
                      {"total", report.tracer_time},
                      {"memory", report.tracer_memory},
                      {"kernel_memory", report.kernel_memory}});
    }

    void annotation(const Annotation& annotation) override
    {
        for (const AnnotatedCode& code : annotation.codes)
            for (const AnnotatedLine& line : code.lines) {
                const std::string& name = code.name.empty() ? code.program : code.name;
                write_counts("ANNOTATION", line.text.empty() ? name : name + ": " + line.text,
                             {{"line", line.line}, {"own", line.own()}, {"called", line.called()}});
            }
    }

    // When -x estimate is set, the user waits for the result, so the text goes to standard output.
    void estimate(const Estimate& estimate) override { output_.write(estimate_table(estimate)); }
    void detached(double seconds) override { output_.write(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) override
    {
        output_.write(memory_table({parts.begin(), parts.end()}));
    }

private:
    static void add_origin(JournalEntry& fields, uint64_t time, uint32_t cpu, const ProbeText& probe, uint32_t stmt)
    {
        fields.add("DTRACE_PROBE", probe.name);
        fields.add("DTRACE_CLAUSE", stmt);
        fields.add("DTRACE_CPU", cpu);
        fields.add("DTRACE_TIME", time);
    }

    using Counts = std::initializer_list<std::pair<std::string_view, uint64_t>>;
    /// Writes a row of a report as a journal entry with the message "NAME: fired 3, filtered 1, …".
    void write_counts(std::string_view tag, const std::string& name, const Counts& counts)
    {
        JournalEntry fields;
        fields.add("DTRACE_TAG", tag);
        fields.add("DTRACE_NAME", name);
        std::string message = name, between = ": ";
        for (const auto& [word, count] : counts) {
            fields.add(journal_field(word), count);
            message.append(std::exchange(between, ", ")).append(word).append(" ").append(std::to_string(count));
        }
        write(Priority::Info, message, fields);
    }

    /// Adds a value of the record as a field. Afterwards scratch_ contains the text of the value.
    void add_value(const Datum& datum, const uint8_t* data)
    {
        scratch_.clear();
        append_plain(scratch_, env_, datum, data);
        add_value_field();
    }
    void add_value_field() { fields_.add("DTRACE_VALUE" + std::to_string(++values_), scratch_.view()); }

    /// Appends text to the record's message, after a space if needed.
    void print_message(std::string_view text)
    {
        if (const std::string_view before = message_.view(); !before.empty() && before.back() != '\n')
            message_.append(' ');
        message_.append(text);
    }

    /// Builds a journal entry in entry_ for each aggregation entry, in the sort order of the text output, and then
    /// calls `handle`.
    template <typename Handle> void for_each_key(Tables tables, Handle handle)
    {
        for_each_entry(tables, env_, [&](const Aggregation& table, uint32_t entry) {
            make_key(table, entry);
            handle();
        });
    }

    void make_key(const Aggregation& table, uint32_t entry)
    {
        JournalEntry fields;
        fields.add("DTRACE_AGGREGATION", table.schema().name);
        fields.add("DTRACE_FUNCTION", table.schema().function->name);
        if (snapshot_)
            fields.add("DTRACE_TIME", *snapshot_);
        Text message;
        unsigned keys = 0;
        for (const Datum& datum : table.schema().keys) {
            scratch_.clear();
            if (entry == Aggregation::kExpired)
                scratch_.append(format::kGoneKey);
            else
                append_plain(scratch_, env_, datum, table.key(entry));
            fields.add("DTRACE_KEY" + std::to_string(++keys), scratch_.view());
            message.append(scratch_.view());
            message.append(' ');
        }
        add_result(fields, message, table, table.words(entry));
        if (env_.has_estimates && table.schema().may_be_estimated)
            fields.add("DTRACE_ESTIMATED", "true");
        if (entry == Aggregation::kExpired)
            fields.add("DTRACE_GONE", "true");
        make(Priority::Info, without_line_ends(message.view()), fields);
    }

    /// Adds the value of an aggregation. A histogram is added as a drawing, with one field LABEL:COUNT per bucket.
    void add_result(JournalEntry& fields, Text& message, const Aggregation& table, Aggregation::Words words)
    {
        if (const std::optional<TimeSeries> series = TimeSeries::of(table.schema())) {
            append_time_series(message, *series, words, {table.divisor});
            for (const TimeSeries::Point& point : series->points(words))
                if (!point.words.empty())
                    fields.add("DTRACE_BUCKET",
                               std::to_string(point.time) + ":" +
                                   std::to_string(number_of(series->function(), point.words, table.divisor)));
            return;
        }
        if (!table.shape()) {
            const int64_t number = table.number(words);
            const std::string text = table.schema().function->kind == AggKind::Stddev
                                         ? std::to_string(static_cast<uint64_t>(number))
                                         : std::to_string(number);
            fields.add("DTRACE_VALUE", text);
            return message.append(text);
        }
        const Aggregation::Words buckets = table.shape()->buckets(words);
        format::append_histogram(message, *table.shape(), buckets, {table.divisor, env_.options.aggzoom});
        for (std::size_t i = 0; i < buckets.size(); ++i)
            if (buckets[i] != 0)
                fields.add("DTRACE_BUCKET",
                           table.shape()->label(i) + ":" + std::to_string(format::divided(buckets[i], table.divisor)));
    }

    void make(Priority priority, std::string_view message, const JournalEntry& fields)
    {
        entry_.clear();
        entry_.add("MESSAGE", message);
        entry_.add("PRIORITY", static_cast<unsigned>(priority));
        entry_.add("SYSLOG_IDENTIFIER", program_invocation_short_name);
        for (const auto& [name, value] : env_.options.labels)
            entry_.add("DTRACE_LABEL_" + upper_case(name), value);
        entry_.add(fields);
    }
    void write(Priority priority, std::string_view message, const JournalEntry& fields)
    {
        make(priority, message, fields);
        output_.write_entry(entry_.view());
    }

    Output& output_;
    const format::Environment& env_;
    JournalEntry fields_;            ///< fields of the current record
    Text message_;                   ///< message of the current record
    unsigned values_ = 0;            ///< number of values in the current record
    JournalEntry entry_;             ///< journal entry that is being built or was built last
    std::vector<std::string> after_; ///< entries of the current record's printa() calls, sent after the record
    Text scratch_;
};

} // namespace

std::unique_ptr<Sink> make_journal_sink(const SinkOptions& with)
{
    return std::make_unique<JournalSink>(with);
}

} // namespace dt::output
