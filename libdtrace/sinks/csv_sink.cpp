// Sink of -x format=csv: tables of comma-separated values (RFC 4180) for spreadsheets and databases.
//
// There is a table for each statement that records data, and for each aggregation. A header line precedes the first
// line of each table. The header's first cell is "table", and the first cell of every other line is the table's name.
// The output of a program with a single statement is one table.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "libdtrace/format/print.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/results/time_series.hpp"

namespace dt::output {
namespace {

using format::Text;

/// Builds a CSV line, which consists of cells separated by commas.
class CsvLine {
public:
    void text(std::string_view cell)
    {
        separate();
        if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
            out_.append(cell);
            return;
        }
        out_.append('"');
        for (const char c : cell) {
            if (c == '"')
                out_.append('"');
            out_.append(c);
        }
        out_.append('"');
    }

    template <typename Number> void number(Number value)
    {
        separate();
        if constexpr (std::is_signed_v<Number>)
            format::append_signed(out_, value);
        else
            format::append_unsigned(out_, value);
    }

    void nothing() { separate(); }
    void restore(const CsvLine& other)
    {
        out_.append(other.view());
        cells_ = other.cells_;
    }

    std::size_t cells() const { return cells_; }
    void clear()
    {
        out_.clear();
        cells_ = 0;
    }
    std::string_view view() const { return out_.view(); }

private:
    void separate()
    {
        if (cells_++ != 0)
            out_.append(',');
    }

    Text out_;
    std::size_t cells_ = 0;
};

class CsvSink final : public FieldSink {
public:
    explicit CsvSink(const SinkOptions& with) : output_(with.output), env_(with.env) {}

    void begin(const Line& line) override
    {
        cells_.clear();
        after_.clear();
        cells_.text("clause" + std::to_string(line.stmt));
        cells_.number(line.time);
        cells_.number(line.cpu);
        cells_.text(line.probe.name);
        columns_ = "table,ns,cpu,probe";
        recorded_ = 0;
    }

    void end(const Line& line) override
    {
        const bool is_only_printa = recorded_ == 0 && !after_.empty();
        if (line.printed && !is_only_printa)
            write(columns_, "clause" + std::to_string(line.stmt), cells_);
        output_.write(after_.view());
    }

    void value(const Datum& datum, const uint8_t* data) override
    {
        add_column();
        append_datum(cells_, datum, data);
    }

    /// Writes each argument of a format as a cell, because readers of CSV need numbers and not formatted text. A format
    /// without arguments becomes one cell of text.
    void formatted(const format::BoundFormat& format, const uint8_t* data) override
    {
        if (format.for_each_argument([&](const Datum& datum) { value(datum, data); }))
            return;
        scratch_.clear();
        format.append(scratch_, env_, data);
        add_column();
        cells_.text(scratch_.view());
    }

    void memory(std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        append_plain_bytes(scratch_, bytes);
        add_column();
        cells_.text(scratch_.view());
    }

    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override
    {
        scratch_.clear();
        format::append_printed(scratch_, pointer, type, bytes);
        add_column();
        cells_.text(scratch_.view());
    }

    void aggregations(Tables tables) override
    {
        for_each_entry(tables, env_, [&](const Aggregation& table, uint32_t entry) { append_entry(table, entry); });
    }
    void aggregations(Tables tables, std::span<const format::BoundFormat>) override { aggregations(tables); }

    void unprinted(const Aggregation& table) override
    {
        after_.clear();
        const Aggregation* const one = &table;
        aggregations(Tables(&one, 1));
        output_.write(after_.view());
        output_.drain();
    }

    void error(const ErrorReport& report) override
    {
        CsvLine line;
        line.text("error");
        line.number(report.time);
        line.number(report.cpu);
        line.text(report.probe.name);
        line.number(report.stmt);
        line.text(report.fault);
        line.text(report.text);
        write("table,ns,cpu,probe,clause,fault,message", "error", line);
    }

    void drop(const DropReport& report) override
    {
        CsvLine line;
        line.text("drop");
        line.text(report.kind);
        line.number(report.count);
        if (report.cpu >= 0)
            line.number(report.cpu);
        else
            line.nothing();
        line.text(report.text);
        write("table,kind,count,cpu,message", "drop", line);
    }

    void note(const Note& note) override
    {
        CsvLine line;
        line.text("note");
        line.text(note.tag);
        line.text(note.text);
        write("table,tag,message", "note", line);
    }

    void firings(std::span<const HitCounts> clauses, std::span<const HitCounts> probes) override
    {
        for (const HitCounts& clause : clauses)
            write_firings(clause, "clause_hits", "table,clause,fired,filtered,recorded,lost", {});
        for (const HitCounts& probe : probes)
            write_firings(probe, "hits", "table,probe,fired,filtered,recorded,lost,sampled_out", probe.sampled_out);
    }

    void costs(const CostReport& report) override
    {
        for (const auto& [kind, rows] : {std::pair("clause", &report.clauses), std::pair("probe", &report.probes),
                                         std::pair("others", &report.others)})
            for (const Cost& row : *rows) {
                CsvLine line;
                for (const std::string_view word : {std::string_view("cost"), std::string_view(kind)})
                    line.text(word);
                line.text(row.name);
                line.number(row.fired);
                line.number(row.program.timed);
                for (const double ns : {row.program.mean, row.program.p99, row.program.most, row.total()})
                    line.number(static_cast<uint64_t>(ns + 0.5));
                const CodeSize size = row.size.value_or(CodeSize());
                for (const uint64_t number : {size.instructions, size.stack, size.maps})
                    row.size ? line.number(number) : line.nothing();
                write("table,of,name,fired,timed,mean,p99,most,total,instructions,stack,map_memory", "cost", line);
            }
    }

    void gap(const LostInterval& gap) override
    {
        CsvLine line;
        line.text("gap");
        line.text(gap.cause);
        for (const uint64_t number : {gap.count, uint64_t{gap.cpu}, gap.from, gap.to})
            line.number(number);
        write("table,cause,count,cpu,from,to", "gap", line);
    }

    void losses(std::span<const DropRow> rows) override
    {
        for (const DropRow& row : rows) {
            CsvLine line;
            for (const std::string_view word : {std::string_view("losses"), row.cause, name_of_kind(row.kind)})
                line.text(word);
            const auto number_if = [&](bool there, uint64_t number) { there ? line.number(number) : line.nothing(); };
            number_if(row.countable || row.count != 0, row.count);
            line.text(row.several);
            number_if(row.count != 0, row.first);
            number_if(row.count != 0, row.last);
            line.text(row.text);
            write("table,cause,kind,count,unit,from,to,message", "losses", line);
        }
    }

    void estimate(const Estimate& estimate) override
    {
        const auto append = [](CsvLine& line, std::string& columns, const NamedNumbers& numbers) {
            for (const auto& [name, number] : numbers) {
                columns.append(",").append(name);
                number ? line.number(*number) : line.nothing();
            }
        };
        for (const EstimatedProbe& probe : estimate.probes) {
            CsvLine line;
            std::string columns = "table,probe";
            line.text("estimate");
            line.text(probe.name);
            append(line, columns, named_numbers(probe));
            write(columns, "estimate", line);
        }
        CsvLine line;
        std::string columns = "table";
        line.text("estimate_all");
        append(line, columns, named_numbers(estimate));
        if (!estimate.needs.empty()) {
            line.text(estimate.needs);
            return write(columns + ",needs", "estimate_all", line);
        }
        for (const bool flag : {estimate.has_other_predicates, estimate.knows_all_outside})
            line.text(flag ? "true" : "false");
        write(columns + ",at_most,knows_all_outside", "estimate_all", line);
    }

    void detached(double seconds) override
    {
        const auto [name, number] = named_detaching(seconds);
        CsvLine line;
        line.text("estimate_detaching");
        line.number(number);
        write("table," + std::string(name), "estimate_detaching", line);
    }

    void memory_bound(std::span<const MemoryPart> parts) override
    {
        for (const MemoryPart& part : parts) {
            CsvLine line;
            for (const std::string_view word :
                 {std::string_view("memory"), std::string_view(part.in_kernel ? "kernel" : "tracer"),
                  std::string_view(part.name)})
                line.text(word);
            line.number(part.most);
            line.text(part.bound);
            write("table,of,name,most_bytes,bound", "memory", line);
        }
    }

private:
    void write_firings(const HitCounts& row, const std::string& table, const std::string& columns,
                       std::optional<uint64_t> sampled_out)
    {
        CsvLine line;
        line.text(table);
        line.text(row.name);
        for (const uint64_t count : {row.fired, row.filtered, row.recorded, row.lost})
            line.number(count);
        if (sampled_out)
            line.number(*sampled_out);
        write(columns, table, line);
    }

    void add_column() { columns_ += ",value" + std::to_string(++recorded_); }

    void append_datum(CsvLine& line, const Datum& datum, const uint8_t* data)
    {
        scratch_.clear();
        append_plain(scratch_, env_, datum, data);
        line.text(scratch_.view());
    }

    /// Stores the CSV line of an aggregation entry. A histogram has a line for each non-empty bucket, with the smallest
    /// and the largest integer of the bucket.
    void append_entry(const Aggregation& table, uint32_t entry)
    {
        const std::string name = "@" + table.schema().name;
        std::string columns = "table";
        CsvLine key;
        key.text(name);
        if (snapshot_) {
            key.number(*snapshot_);
            columns += ",ns";
        }
        const std::size_t before = key.cells();
        for (const Datum& datum : table.schema().keys) {
            if (entry == Aggregation::kExpired)
                key.text(format::kGoneKey);
            else
                append_datum(key, datum, table.key(entry));
            columns += ",key" + std::to_string(key.cells() - before);
        }
        if (table.expires_keys() || table.has_expired()) {
            key.number(entry == Aggregation::kExpired ? 1U : 0U);
            columns += ",gone";
        }
        const Aggregation::Words words = table.words(entry);
        if (const std::optional<TimeSeries> series = TimeSeries::of(table.schema()))
            return append_points(table, *series, words, columns, key);
        if (!table.shape()) {
            const int64_t number = table.number(words);
            if (table.schema().function->kind == AggKind::Stddev)
                key.number(static_cast<uint64_t>(number));
            else
                key.number(number);
            return keep(columns + "," + std::string(table.schema().function->name), name, key);
        }
        for (std::size_t i = 0; i < table.shape()->size(); ++i) {
            if (words[i] == 0)
                continue;
            CsvLine line;
            line.restore(key);
            if (table.shape()->has_parts()) {
                line.text(table.shape()->label(i));
                line.number(format::divided(words[i], table.divisor));
                keep(columns + ",part,time", name, line);
                continue;
            }
            const auto& bounds = table.shape()->bounds(i);
            for (const std::optional<int64_t>& bound : {bounds.low, bounds.high}) {
                if (bound)
                    line.number(*bound);
                else
                    line.nothing();
            }
            line.number(format::divided(words[i], table.divisor));
            keep(columns + ",low,high,count", name, line);
        }
    }

    /// Stores a line for each interval with a value. The line contains the start of the interval in ns since 1970.
    void append_points(const Aggregation& table, const TimeSeries& series, Aggregation::Words words,
                       const std::string& columns, const CsvLine& key)
    {
        for (const TimeSeries::Point& point : series.points(words)) {
            if (point.words.empty())
                continue;
            CsvLine line;
            line.restore(key);
            line.number(point.time);
            line.number(number_of(series.function(), point.words, table.divisor));
            keep(columns + ",time,value", "@" + table.schema().name, line);
        }
    }

    /// Stores the CSV line of an aggregation entry, which is written after the current record.
    void keep(const std::string& columns, const std::string& table, const CsvLine& line)
    {
        append_header(after_, columns, table);
        after_.append(line.view());
        after_.append("\r\n");
    }

    void write(const std::string& columns, const std::string& table, const CsvLine& line)
    {
        append_header(output_.text(), columns, table);
        output_.write(line.view());
        output_.write("\r\n");
    }

    /// Appends a header line if the columns of the table have changed, as when a clause records data inside an `if`. In
    /// a new output file, all headers are written again.
    void append_header(Text& out, const std::string& columns, const std::string& table)
    {
        if (file_ != output_.files())
            headers_.clear();
        file_ = output_.files();
        std::string& known = headers_[table];
        if (known == columns)
            return;
        known = columns;
        out.append(columns);
        out.append("\r\n");
    }

    Output& output_;
    const format::Environment& env_;
    std::map<std::string, std::string> headers_; ///< for each table, the header that was last written
    uint64_t file_ = 0;                          ///< value of Output::files() when `headers_` were written
    std::string columns_;                        ///< names of the columns of the current record
    std::size_t recorded_ = 0;                   ///< number of values in the current record
    CsvLine cells_;
    Text after_; ///< CSV lines of the aggregations in the current record's printa() calls, written after the record
    Text scratch_;
};

} // namespace

std::unique_ptr<Sink> make_csv_sink(const SinkOptions& with)
{
    return std::make_unique<CsvSink>(with);
}

} // namespace dt::output
