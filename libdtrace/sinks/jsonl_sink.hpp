// Sink of -x format=jsonl: one JSON object per line and nothing else. dtrace-output(7), format=jsonl, describes the
// schema.
#pragma once

#include <optional>

#include "base/json.hpp"
#include "libdtrace/format/wall_clock.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::output {

/// Appends `,"labels":{"team":"web"}`, or nothing if there are no labels.
void append_labels(format::Text& out, const Labels& labels);

class JsonlSink final : public Sink {
public:
    JsonlSink(const PrintOptions& options, Output& output, const format::Environment& env);

    void begin(const Line& line) override;
    void end(const Line& line) override;
    void value(const Datum& datum, const uint8_t* data) override;
    void stack(const Datum& datum, const uint8_t* data) override;
    void symbol(const Datum& datum, const uint8_t* data) override;
    void formatted(const format::BoundFormat& format, const uint8_t* data) override;
    void memory(std::span<const uint8_t> bytes) override;
    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override;
    void packet(const Packet& packet) override;
    void aggregations(Tables tables) override;
    void aggregations(Tables tables, std::span<const format::BoundFormat> formats) override;
    void unprinted(const Aggregation& table) override;
    void begin_snapshot(uint64_t time) override { snapshot_ = time; }
    void end_snapshot() override { snapshot_.reset(); }
    void error(const ErrorReport& report) override;
    void drop(const DropReport& report) override;
    void note(const Note& note) override;
    void firings(std::span<const HitCounts> clauses, std::span<const HitCounts> probes) override;
    void gap(const LostInterval& gap) override;
    void losses(std::span<const DropRow> rows) override;
    void costs(const CostReport& report) override;
    void annotation(const Annotation& annotation) override;
    void estimate(const Estimate& estimate) override;
    void detached(double seconds) override;
    void memory_bound(std::span<const MemoryPart> parts) override;

private:
    /// Begins the next element of "data". Returns the text to which the caller appends the element's value.
    format::Text& item();
    void append_datum(format::Text& out, const Datum& datum, const uint8_t* data) const;
    void append_stack(format::Text& out, const Datum& datum, const uint8_t* data) const;
    void append_entry(format::Text& out, const Aggregation& table, uint32_t entry);
    void append_words(format::Text& out, const Aggregation& table, Aggregation::Words words) const;
    /// Writes a line with a JSON object that consists of the member "type" and of the members that `fields` appends.
    template <typename Fields> void write_line(std::string_view type, Fields fields)
    {
        format::Text& out = output_.text();
        out.append("{\"type\":");
        append_json_string(out, type);
        fields(out);
        out.append("}\n");
        output_.drain();
    }

    const PrintOptions& options_;
    Output& output_;
    const format::Environment& env_;
    format::Text record_; ///< JSON line of the current record
    /// arguments of the current record's printf() calls: a list for each call, in the order of the calls
    format::Text arguments_;
    /// JSON lines of the aggregations in the current record's printa() calls, written after the record
    format::Text entries_;
    format::Text scratch_;
    bool has_items_ = false;
    std::optional<uint64_t> snapshot_; ///< time of the snapshot whose aggregations unprinted() writes
    WallClock clock_;
    std::string labels_; ///< comma and JSON member with the labels; empty if there are no labels
};

} // namespace dt::output
