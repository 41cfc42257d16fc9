// Sink of the traditional text output (dtrace-output(7)). Existing scripts parse this output, so it must not change by
// a single byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "libdtrace/format/printf.hpp"
#include "libdtrace/format/wall_clock.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/results/aggregation.hpp"

namespace dt::output {

// Output of pcap() (dtrace-actions(7), pcap). After freopen() packets go to a capture file. Otherwise tshark prints one
// line per packet; without tshark, the caller prints a hex dump.

struct Packet;

class PcapWriter {
public:
    explicit PcapWriter(Output& output) : output_(output) {}
    ~PcapWriter();
    PcapWriter(const PcapWriter&) = delete;
    PcapWriter& operator=(const PcapWriter&) = delete;

    /// Writes the packet. Returns false if neither a capture file nor tshark is available. The caller then prints a hex
    /// dump.
    bool write(const Packet& packet);

    /// Ends tshark if it was started, and prints its remaining output.
    void finish();

private:
    bool write_to_file(const Packet& packet);
    bool write_to_tshark(const Packet& packet);
    bool start_tshark();
    void print_lines(bool to_the_end);

    Output& output_;
    /// Value of Output::redirects() when the current capture file was opened, and the file's link type; both are 0 if
    /// there is no capture file.
    uint64_t redirected_ = 0;
    uint32_t link_type_ = 0;
    bool has_tshark_ = true; ///< false after an attempt to start tshark has failed
    int to_tshark_ = -1, from_tshark_ = -1, pid_ = -1;
    std::string lines_; ///< incomplete line that was read from tshark
};

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
