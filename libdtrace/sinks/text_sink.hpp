// Sink of the traditional text output (dtrace-output(7)). Existing scripts parse this output, so it must not change by
// a single byte.
#pragma once

#include <span>

#include "libdtrace/format/printf.hpp"
#include "libdtrace/format/wall_clock.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/aggregation.hpp"
#include "libdtrace/sinks/pcap_writer.hpp"

namespace dt::output {

class TextSink final : public Sink {
public:
    TextSink(const PrintOptions& options, Output& output, const format::Environment& env, bool reproducible);

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
    void begin_snapshot(uint64_t time) override;
    void gap(const LostInterval& gap) override;
    void estimate(const Estimate& estimate) override;
    void detached(double seconds) override { out_.append(detached_line(seconds)); }
    void memory_bound(std::span<const MemoryPart> parts) override;
    void interrupted() override;
    void end_of_records() override;

private:
    /// Prints the time of -x timestamps before the first output of a record, if that output begins a line.
    void print_time();

    const PrintOptions& options_;
    const Output& output_;
    format::Text& out_;
    const format::Environment& env_;
    const bool reproducible_;
    LinePrefix prefix_;
    PcapWriter packets_;
    bool heading_printed_ = false;
    bool has_ended_ = false; ///< whether the empty line after the last record was printed
    uint64_t file_ = 0;      ///< value of Output::files() when the heading was last printed
    WallClock clock_;
    uint64_t unreported_ = 0; ///< time of the current record, if no part of the record was printed yet, else 0
    bool is_new_line_ = true;
};

// Text of printa() and of the aggregations printed at exit (dtrace-aggregations(7), PRINTING AND CHANGING).

enum class RowPart : uint8_t { Key, Value, End };
/// Callback for each part of a row that was appended. Its arguments are the kind of the part, the index of the key or
/// of the table, and the index of the entry in its table.
using RowObserver = std::function<void(RowPart part, std::size_t number, uint32_t entry)>;

/// Appends the default layout: one line per entry in sort order. The keys are printed once, followed by the value in
/// each table. The options aggpack, agghist and aggzoom change the layout of a single table. Only the default layout
/// calls `observer`.
void append_aggregations(format::Text& out, const format::Environment& env, std::span<const Aggregation* const> tables,
                         const RowObserver& observer = {});

/// Appends each entry in the given format. `formats[i]` is bound to the keys of `tables[i]`.
void append_aggregations(format::Text& out, const format::Environment& env, std::span<const Aggregation* const> tables,
                         std::span<const format::BoundFormat> formats);

} // namespace dt::output
