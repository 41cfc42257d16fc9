// Writes each event of the decoder as a JSON object, or adds it to the object of the current record. The last part of
// the file writes estimates.
#include "libdtrace/sinks/jsonl_sink.hpp"

#include <charconv>
#include <ctime>
#include <string>

#include "libdtrace/format/print.hpp"
#include "libdtrace/format/stack.hpp"
#include "libdtrace/format/text.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/results/time_series.hpp"

namespace dt::output {

namespace {

using format::append_signed;
using format::append_unsigned;
using format::Text;
using DatumKind = Datum::Kind;

void append_moment(Text& out, WallClock& clock, uint64_t time)
{
    append_json_name(out, "ts");
    append_unsigned(out, time);
    append_json_name(out, "time");
    clock.append(out, time);
}

void append_origin(Text& out, WallClock& clock, uint64_t time, uint32_t cpu, const ProbeText& probe, uint32_t stmt)
{
    append_moment(out, clock, time);
    append_json_name(out, "cpu");
    append_unsigned(out, cpu);
    append_json_name(out, "id");
    append_unsigned(out, probe.id);
    append_json_name(out, "probe");
    append_json_string(out, probe.name);
    append_json_name(out, "clause");
    append_unsigned(out, stmt);
}

// Appends the bytes of an array or struct. They are written as a string if they look like text, by the rule for keys in
// the text output. Otherwise they are written as {"bytes":"0a0b"}.
void append_bytes(Text& out, std::span<const uint8_t> bytes)
{
    if (format::looks_like_text(bytes))
        return append_json_string(out, format::load_text(bytes.data(), static_cast<uint32_t>(bytes.size())));
    out.append("{\"bytes\":");
    append_json_hex(out, bytes);
    out.append('}');
}

void append_integer(Text& out, const Datum& datum, const uint8_t* data)
{
    const int64_t value = format::load_integer(datum, data);
    if (datum.kind == DatumKind::Signed)
        append_signed(out, value);
    else
        append_unsigned(out, static_cast<uint64_t>(value));
}

bool is_integer_size(uint32_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

// Appends a bucket's label. A label that is a number is written as a number, any other label as text, such as "< 0".
void append_label(Text& out, const std::string& label)
{
    int64_t number = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
    if (error == std::errc() && end == label.data() + label.size())
        append_signed(out, number);
    else
        append_json_string(out, label);
}

} // namespace

void append_labels(Text& out, const Labels& labels)
{
    for (std::size_t i = 0; i < labels.size(); ++i) {
        out.append(i == 0 ? ",\"labels\":{" : ",");
        append_json_string(out, labels[i].first);
        out.append(':');
        append_json_string(out, labels[i].second);
    }
    if (!labels.empty())
        out.append('}');
}

JsonlSink::JsonlSink(const PrintOptions& options, Output& output, const format::Environment& env)
    : options_(options), output_(output), env_(env)
{
    Text labels;
    append_labels(labels, options.labels);
    labels_ = labels.view();
}

// ---- records --------------------------------------------------------------------------------------------------------

void JsonlSink::begin(const Line& line)
{
    record_.clear();
    entries_.clear();
    arguments_.clear();
    has_items_ = false;
    record_.append("{\"type\":\"record\"");
    append_origin(record_, clock_, line.time, line.cpu, line.probe, line.stmt);
    record_.append(",\"data\":[");
}

void JsonlSink::end(const Line& line)
{
    record_.append(']');
    if (!arguments_.empty()) {
        record_.append(arguments_.view());
        record_.append(']');
    }
    record_.append(labels_);
    record_.append("}\n");
    if (line.printed)
        output_.write(record_.view());
    output_.write(entries_.view());
}

Text& JsonlSink::item()
{
    if (has_items_)
        record_.append(',');
    has_items_ = true;
    return record_;
}

void JsonlSink::append_stack(Text& out, const Datum& datum, const uint8_t* data) const
{
    out.append("{\"stack\":[");
    bool is_first = true;
    format::for_each_frame(env_, datum, data, Datum::Address::Exact, [&](std::string_view frame) {
        if (!is_first)
            out.append(',');
        is_first = false;
        append_json_string(out, frame);
    });
    out.append("]}");
}

void JsonlSink::append_datum(Text& out, const Datum& datum, const uint8_t* data) const
{
    switch (datum.kind) {
    case DatumKind::Text:
    case DatumKind::Name:
    case DatumKind::Cgroup:
    case DatumKind::Converted:
        return append_json_string(out, format::load_characters(env_, datum, data));
    case DatumKind::Stack:
    case DatumKind::UserStack:
        return append_stack(out, datum, data);
    case DatumKind::Symbol:
    case DatumKind::UserSymbol:
        return append_json_string(out, format::symbol_text(env_, datum, data));
    case DatumKind::Signed:
    case DatumKind::Unsigned:
        if (is_integer_size(datum.size))
            return append_integer(out, datum, data);
        [[fallthrough]];
    case DatumKind::Bytes:
        return append_bytes(out, {data + datum.offset, datum.size});
    }
}

void JsonlSink::value(const Datum& datum, const uint8_t* data)
{
    if (options_.rawbytes)
        return memory(format::raw_bytes(env_, datum, data));
    append_datum(item(), datum, data);
}

void JsonlSink::stack(const Datum& datum, const uint8_t* data)
{
    append_stack(item(), datum, data);
}

void JsonlSink::symbol(const Datum& datum, const uint8_t* data)
{
    append_json_string(item(), format::symbol_text(env_, datum, data));
}

void JsonlSink::formatted(const format::BoundFormat& format, const uint8_t* data)
{
    scratch_.clear();
    format.append(scratch_, env_, data);
    append_json_string(item(), scratch_.view());
    arguments_.append(arguments_.empty() ? ",\"args\":[[" : ",[");
    bool is_first = true;
    format.for_each_argument([&](const Datum& datum) {
        if (!is_first)
            arguments_.append(',');
        is_first = false;
        append_datum(arguments_, datum, data);
    });
    arguments_.append(']');
}

void JsonlSink::memory(std::span<const uint8_t> bytes)
{
    Text& out = item();
    out.append("{\"bytes\":");
    append_json_hex(out, bytes);
    out.append('}');
}

void JsonlSink::object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes)
{
    scratch_.clear();
    format::append_printed(scratch_, pointer, type, bytes);
    Text& out = item();
    out.append("{\"print\":");
    append_json_string(out, scratch_.view());
    out.append('}');
}

void JsonlSink::packet(const Packet& packet)
{
    Text& out = item();
    out.append("{\"packet\":{");
    append_json_name(out, "ts");
    append_unsigned(out, packet.time);
    append_json_name(out, "protocol");
    append_unsigned(out, packet.protocol);
    append_json_name(out, "bytes");
    append_json_hex(out, packet.bytes);
    out.append("}}");
}

// ---- aggregations ---------------------------------------------------------------------------------------------------

void JsonlSink::append_words(Text& out, const Aggregation& table, Aggregation::Words words) const
{
    if (const std::optional<TimeSeries> series = TimeSeries::of(table.schema())) {
        out.append('[');
        bool is_first = true;
        for (const TimeSeries::Point& point : series->points(words)) {
            if (point.words.empty())
                continue;
            out.append(is_first ? "[" : ",[");
            is_first = false;
            append_signed(out, point.time);
            out.append(',');
            append_signed(out, number_of(series->function(), point.words, table.divisor));
            out.append(']');
        }
        return out.append(']');
    }
    if (!table.shape()) {
        const int64_t number = table.number(words);
        if (table.schema().function->kind == AggKind::Stddev)
            return append_unsigned(out, static_cast<uint64_t>(number));
        return append_signed(out, number);
    }
    out.append('[');
    bool is_first = true;
    for (std::size_t i = 0; i < table.shape()->size(); ++i) {
        if (words[i] == 0)
            continue;
        out.append(is_first ? "[" : ",[");
        is_first = false;
        append_label(out, table.shape()->label(i));
        out.append(',');
        append_signed(out, format::divided(words[i], table.divisor));
        out.append(']');
    }
    out.append(']');
}

void JsonlSink::append_entry(Text& out, const Aggregation& table, uint32_t entry)
{
    out.append("{\"type\":\"agg\"");
    if (snapshot_)
        append_moment(out, clock_, *snapshot_);
    append_json_name(out, "name");
    append_json_string(out, table.schema().name);
    append_json_name(out, "func");
    append_json_string(out, table.schema().function->name);
    out.append(",\"keys\":[");
    bool is_first = true;
    for (const Datum& datum : table.schema().keys) {
        if (!is_first)
            out.append(',');
        is_first = false;
        if (entry == Aggregation::kExpired)
            append_json_string(out, format::kGoneKey);
        else
            append_datum(out, datum, table.key(entry));
    }
    out.append(']');
    if (entry == Aggregation::kExpired)
        out.append(",\"gone\":true");
    const std::optional<TimeSeries> series = TimeSeries::of(table.schema());
    if (series) {
        append_json_name(out, "interval");
        append_signed(out, series->interval());
    }
    append_json_name(out, table.shape() || series ? "buckets" : "value");
    append_words(out, table, table.words(entry));
    if (env_.has_estimates && table.schema().may_be_estimated)
        out.append(",\"estimated\":true");
    if (table.has_per_cpu()) {
        out.append(",\"cpus\":[");
        for (uint32_t cpu = 0; cpu < table.cpus(); ++cpu) {
            if (cpu != 0)
                out.append(',');
            append_words(out, table, table.words_of_cpu(entry, cpu));
        }
        out.append(']');
    }
    out.append(labels_);
    out.append("}\n");
}

void JsonlSink::aggregations(Tables tables)
{
    for_each_entry(tables, env_,
                   [&](const Aggregation& table, uint32_t entry) { append_entry(entries_, table, entry); });
}

// Writes each aggregation entry as a JSON object. Ignores the format of printa(), because formatted text is meant for
// human readers.
void JsonlSink::aggregations(Tables tables, std::span<const format::BoundFormat>)
{
    aggregations(tables);
}

void JsonlSink::unprinted(const Aggregation& table)
{
    const Aggregation* one = &table;
    for (const Row& row : sorted_rows(Tables(&one, 1), env_)) {
        append_entry(output_.text(), table, row.entries[0]);
        output_.drain();
    }
}

// ---- errors, losses and reports -------------------------------------------------------------------------------------

void JsonlSink::error(const ErrorReport& report)
{
    write_line("error", [&](Text& out) {
        append_origin(out, clock_, report.time, report.cpu, report.probe, report.stmt);
        append_json_name(out, "message");
        append_json_string(out, report.text);
        if (report.repeated != 0) {
            append_json_name(out, "repeated");
            append_unsigned(out, report.repeated);
        }
        if (report.fault.empty())
            return;
        append_json_name(out, "fault");
        append_json_string(out, report.fault);
        append_json_name(out, "code");
        append_unsigned(out, report.code);
        append_json_name(out, "value");
        append_unsigned(out, report.value);
        append_json_name(out, "pc");
        append_signed(out, report.pc);
    });
}

void JsonlSink::drop(const DropReport& report)
{
    write_line("drop", [&](Text& out) {
        append_json_name(out, "kind");
        append_json_string(out, report.kind);
        append_json_name(out, "count");
        append_unsigned(out, report.count);
        if (report.cpu >= 0) {
            append_json_name(out, "cpu");
            append_signed(out, report.cpu);
        }
        append_json_name(out, "message");
        append_json_string(out, report.text);
    });
}

void JsonlSink::note(const Note& note)
{
    write_line("note", [&](Text& out) {
        append_json_name(out, "tag");
        append_json_string(out, note.tag);
        append_json_name(out, "message");
        append_json_string(out, note.text);
        for (const auto& [name, number] : note.numbers) {
            append_json_name(out, name);
            append_unsigned(out, number);
        }
    });
}

void JsonlSink::firings(std::span<const HitCounts> clauses, std::span<const HitCounts> probes)
{
    const auto write = [this](std::string_view type, std::string_view of, const HitCounts& row) {
        write_line(type, [&](Text& out) {
            append_json_name(out, "id");
            append_unsigned(out, row.id);
            append_json_name(out, of);
            append_json_string(out, row.name);
            std::vector<std::pair<std::string_view, uint64_t>> counts = {
                {"fired", row.fired}, {"filtered", row.filtered}, {"recorded", row.recorded}, {"lost", row.lost}};
            if (of == "probe") // clauses have no count of skipped firings, because maxcost skips firings of probes
                counts.emplace_back("sampled_out", row.sampled_out);
            for (const auto& [name, count] : counts) {
                append_json_name(out, name);
                append_unsigned(out, count);
            }
        });
    };
    for (const HitCounts& clause : clauses)
        write("clause_hits", "clause", clause);
    for (const HitCounts& probe : probes)
        write("hits", "probe", probe);
}

void JsonlSink::gap(const LostInterval& gap)
{
    write_line("gap", [&](Text& out) {
        append_json_name(out, "cause");
        append_json_string(out, gap.cause);
        const std::pair<std::string_view, uint64_t> numbers[] = {
            {"count", gap.count}, {"cpu", gap.cpu}, {"from", gap.from}, {"to", gap.to}};
        for (const auto& [name, number] : numbers) {
            append_json_name(out, name);
            append_unsigned(out, number);
        }
    });
}

void JsonlSink::costs(const CostReport& report)
{
    using Numbers = std::initializer_list<std::pair<std::string_view, double>>;
    const auto append = [](Text& out, const Numbers& numbers) {
        for (const auto& [name, number] : numbers) {
            append_json_name(out, name);
            append_unsigned(out, static_cast<uint64_t>(number + 0.5));
        }
    };
    for (const auto& [kind, rows] : {std::pair("clause", &report.clauses), std::pair("probe", &report.probes),
                                     std::pair("others", &report.others)})
        for (const Cost& row : *rows)
            write_line("cost", [&, kind = kind](Text& out) {
                append_json_name(out, "of");
                append_json_string(out, kind);
                append_json_name(out, "id");
                append_unsigned(out, row.id);
                append_json_name(out, "name");
                append_json_string(out, row.name);
                append(out, {{"fired", static_cast<double>(row.fired)},
                             {"timed", static_cast<double>(row.program.timed)},
                             {"mean_ps", row.program.mean * 1000},
                             {"p99", row.program.p99},
                             {"most", row.program.most}});
                if (row.outside)
                    append(out,
                           {{"outside_ps", row.outside->ns * 1000}, {"outside_spread_ps", row.outside->spread * 1000}});
                append(out, {{"total", row.total()}});
                if (row.is_estimate) {
                    append(out, {{"fired_error", row.fired_error}});
                    append_json_name(out, "estimated");
                    out.append("true");
                }
                if (row.size)
                    append(out, {{"instructions", static_cast<double>(row.size->instructions)},
                                 {"stack", static_cast<double>(row.size->stack)},
                                 {"map_memory", static_cast<double>(row.size->maps)}});
            });
    write_line("cost", [&](Text& out) {
        append_json_name(out, "of");
        append_json_string(out, "tracer");
        append(out, {{"elapsed", static_cast<double>(report.elapsed)},
                     {"cpus", report.cpus},
                     {"time", static_cast<double>(report.tracer_time)},
                     {"memory", static_cast<double>(report.tracer_memory)},
                     {"most_memory", static_cast<double>(report.max_memory.tracer)},
                     {"kernel_memory", static_cast<double>(report.kernel_memory)},
                     {"most_kernel_memory", static_cast<double>(report.max_memory.kernel)},
                     {"timing", report.timing}});
    });
}

void JsonlSink::annotation(const Annotation& annotation)
{
    using Words = std::initializer_list<std::pair<std::string_view, std::string_view>>;
    using Numbers = std::initializer_list<std::pair<std::string_view, uint64_t>>;
    const auto append = [](Text& out, const Words& words, const Numbers& numbers) {
        for (const auto& [name, word] : words) {
            append_json_name(out, name);
            append_json_string(out, word);
        }
        for (const auto& [name, number] : numbers) {
            append_json_name(out, name);
            append_unsigned(out, number);
        }
    };
    for (const AnnotatedCode& code : annotation.codes)
        for (const AnnotatedLine& line : code.lines)
            write_line("annotation", [&](Text& out) {
                append(out, {{"of", code.kind}, {"name", code.name}, {"program", code.program}}, {});
                if (code.fired)
                    append(out, {}, {{"fired", *code.fired}});
                if (line.line != 0)
                    append(out, {{"file", line.file}, {"text", line.text}}, {{"line", line.line}});
                append(out, {}, {{"own", line.own()}, {"called", line.called()}});
                append_json_name(out, "instructions");
                char before = '[';
                for (const AnnotatedInstruction& each : line.instructions) {
                    out.append(std::exchange(before, ','));
                    out.append("{\"offset\":");
                    append_unsigned(out, each.offset);
                    append(out, {{"text", each.text}}, {{"own", each.own}, {"called", each.called}});
                    out.append('}');
                }
                out.append(line.instructions.empty() ? "[]" : "]");
            });
    write_line("annotation", [&](Text& out) {
        append(out, {{"of", "run"}, {"problem", annotation.problem}},
               {{"samples", annotation.samples},
                {"in_programs", annotation.in_programs},
                {"lost", annotation.lost},
                {"period", annotation.period},
                {"elapsed", annotation.elapsed}});
        append_json_name(out, "sees_all");
        out.append(annotation.sees_all ? "true" : "false");
    });
}

void JsonlSink::losses(std::span<const DropRow> rows)
{
    for (const DropRow& row : rows)
        write_line("losses", [&](Text& out) {
            const std::pair<std::string_view, std::string_view> words[] = {
                {"cause", row.cause}, {"kind", name_of_kind(row.kind)}, {"unit", row.several}, {"message", row.text}};
            for (const auto& [name, word] : words) {
                append_json_name(out, name);
                append_json_string(out, word);
            }
            append_json_name(out, "count");
            if (row.countable || row.count != 0)
                append_unsigned(out, row.count);
            else
                out.append("null");
            if (row.estimated)
                out.append(",\"estimated\":true");
            if (row.count == 0)
                return;
            if (!row.countable)
                out.append(",\"at_least\":true");
            append_json_name(out, "from");
            append_unsigned(out, row.first);
            append_json_name(out, "to");
            append_unsigned(out, row.last);
            append_json_name(out, "cpus");
            char before = '{';
            for (const auto& [cpu, count] : row.by_cpu) {
                out.append(std::exchange(before, ','));
                append_json_string(out, std::to_string(cpu));
                out.append(':');
                append_unsigned(out, count);
            }
            out.append(row.by_cpu.empty() ? "{}" : "}");
        });
}

std::unique_ptr<Sink> make_jsonl_sink(const SinkOptions& with)
{
    return std::make_unique<JsonlSink>(with.options, with.output, with.env);
}

// JSON lines of the estimates: CPU cost (--estimate) and memory limits.

void JsonlSink::estimate(const Estimate& estimate)
{
    const auto append = [](Text& out, const NamedNumbers& numbers) {
        for (const auto& [name, number] : numbers) {
            if (!number)
                continue;
            append_json_name(out, name);
            append_unsigned(out, *number);
        }
    };
    for (const EstimatedProbe& probe : estimate.probes)
        write_line("estimate", [&](Text& out) {
            out.append(",\"of\":\"probe\"");
            append_json_name(out, "id");
            append_unsigned(out, probe.id);
            append_json_name(out, "name");
            append_json_string(out, probe.name);
            append(out, named_numbers(probe));
        });
    write_line("estimate", [&](Text& out) {
        out.append(",\"of\":\"trace\"");
        append(out, named_numbers(estimate));
        if (!estimate.needs.empty()) {
            append_json_name(out, "needs");
            append_json_string(out, estimate.needs);
            return;
        }
        append_json_name(out, "at_most");
        out.append(estimate.has_other_predicates ? "true" : "false");
        append_json_name(out, "knows_all_outside");
        out.append(estimate.knows_all_outside ? "true" : "false");
    });
}

void JsonlSink::memory_bound(std::span<const MemoryPart> parts)
{
    for (const MemoryPart& part : parts)
        write_line("memory", [&](Text& out) {
            const std::pair<std::string_view, std::string_view> words[] = {
                {"of", part.in_kernel ? "kernel" : "tracer"}, {"name", part.name}, {"bound", part.bound}};
            for (const auto& [name, word] : words) {
                append_json_name(out, name);
                append_json_string(out, word);
            }
            append_json_name(out, "most_bytes");
            append_unsigned(out, part.most);
        });
    write_line("memory", [&](Text& out) {
        const MemorySum all = sum(parts);
        const std::pair<std::string_view, uint64_t> numbers[] = {
            {"kernel_bytes", all.kernel}, {"tracer_bytes", all.tracer}, {"most_bytes", all.all()}};
        out.append(",\"of\":\"all\"");
        for (const auto& [name, number] : numbers) {
            append_json_name(out, name);
            append_unsigned(out, number);
        }
    });
}

void JsonlSink::detached(double seconds)
{
    write_line("estimate", [&](Text& out) {
        const auto [name, number] = named_detaching(seconds);
        out.append(",\"of\":\"detaching\"");
        append_json_name(out, name);
        append_unsigned(out, number);
    });
}

} // namespace dt::output
